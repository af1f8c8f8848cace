// Where the jobs of a tree stand: in layers from left to right, each job right of the one that started it or that it
// depends on. Within a layer a job stands near its neighbours, so that few lines cross. Pure.

import type { JobTree } from "../../src/client/index.ts";

type Node = JobTree["nodes"][number];
type Call = Node["calls"][number];

export const BOX = { width: 200, gapX: 56, gapY: 12, margin: 16, height: { job: 46, group: 74 } } as const;

interface BoxPlace {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** A job, with the key that it has in the call that started it or its name in the flow. */
export interface JobBox extends BoxPlace {
  readonly type: "job";
  readonly node: Node;
  readonly key: string | undefined;
}

/** A call with so many jobs that their counts stand for them. */
export interface GroupBox extends BoxPlace {
  readonly type: "group";
  readonly owner: string;
  readonly call: Call;
}

export interface TreeLine {
  readonly id: string;
  readonly path: string;
  /** One of the two jobs waits for the other. */
  readonly isAwaited: boolean;
}

export interface TreeLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly (JobBox | GroupBox)[];
  readonly lines: readonly TreeLine[];
}

interface Arrow {
  readonly left: string;
  readonly right: string;
  readonly isAwaited: boolean;
}

type Box = { readonly id: string } & (
  | { readonly type: "job"; readonly node: Node; readonly key: string | undefined }
  | { readonly type: "group"; readonly owner: string; readonly call: Call }
);

export function layoutOf({ nodes, edges }: JobTree): TreeLayout {
  const keys = new Map(edges.map(({ to, key }) => [to, key]));
  const boxes: Box[] = nodes.map((node) => ({ type: "job", id: node.jobId, node, key: keys.get(node.jobId) }));
  const arrows: Arrow[] = edges.map(({ from, to, type }) =>
    // A dependency runs first, so it stands left of the job that waits for it.
    type === "after"
      ? { left: to, right: from, isAwaited: true }
      : { left: from, right: to, isAwaited: type === "children" },
  );
  for (const { jobId, calls } of nodes) {
    for (const call of calls.filter(({ grouped }) => grouped)) {
      const id = `${jobId} ${call.type} ${call.name}`;
      boxes.push({ type: "group", id, owner: jobId, call });
      const isAwaited = call.type !== "submitted";
      arrows.push(
        call.type === "after" ? { left: id, right: jobId, isAwaited } : { left: jobId, right: id, isAwaited },
      );
    }
  }
  return place(boxes, arrows);
}

function place(boxes: readonly Box[], arrows: readonly Arrow[]): TreeLayout {
  const layers = ordered(layered(boxes, arrows), arrows);
  const { width, gapX, gapY, margin } = BOX;
  const most = Math.max(...layers.map(heightOf));
  const at = new Map<string, BoxPlace>();
  const placed = layers.flatMap((layer, i) => {
    let y = margin + (most - heightOf(layer)) / 2;
    return layer.map((box) => {
      const position = { id: box.id, x: margin + i * (width + gapX), y, height: BOX.height[box.type] };
      at.set(box.id, position);
      y += position.height + gapY;
      return { ...box, ...position };
    });
  });
  return {
    width: 2 * margin + layers.length * width + (layers.length - 1) * gapX,
    height: 2 * margin + most,
    boxes: placed,
    lines: arrows.flatMap(({ left, right, isAwaited }) => {
      const from = at.get(left);
      const to = at.get(right);
      return from && to ? [{ id: `${left} ${right}`, path: curve(from, to), isAwaited }] : [];
    }),
  };
}

function heightOf(layer: readonly Box[]): number {
  return layer.reduce((sum, { type }) => sum + BOX.height[type], 0) + (layer.length - 1) * BOX.gapY;
}

/** The layer of a job is one more than that of its farthest predecessor. */
function layered(boxes: readonly Box[], arrows: readonly Arrow[]): Box[][] {
  const before = new Map<string, string[]>();
  for (const { left, right } of arrows) before.set(right, [...(before.get(right) ?? []), left]);
  const layerOf = new Map<string, number>();
  const find = (id: string, path: ReadonlySet<string>): number => {
    const known = layerOf.get(id);
    if (known !== undefined) return known;
    const below = new Set(path).add(id);
    const earlier = (before.get(id) ?? []).filter((each) => !below.has(each));
    const layer = Math.max(-1, ...earlier.map((each) => find(each, below))) + 1;
    layerOf.set(id, layer);
    return layer;
  };
  const layers: Box[][] = [];
  for (const box of boxes) {
    const layer = find(box.id, new Set());
    while (layers.length <= layer) layers.push([]);
    layers[layer]?.push(box);
  }
  return layers;
}

const SWEEPS = 4;

/** Each box goes to the mean place of its neighbours in the layer before, then in the layer after, a few times. */
function ordered(layers: Box[][], arrows: readonly Arrow[]): Box[][] {
  const lefts = new Map<string, string[]>();
  const rights = new Map<string, string[]>();
  for (const { left, right } of arrows) {
    lefts.set(right, [...(lefts.get(right) ?? []), left]);
    rights.set(left, [...(rights.get(left) ?? []), right]);
  }
  let result = layers;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forward = sweep % 2 === 0;
    const neighbours = forward ? lefts : rights;
    const placeOf = new Map(result.flatMap((layer) => layer.map(({ id }, i) => [id, (i + 0.5) / layer.length])));
    result = result.map((layer) => {
      const mean = new Map(
        layer.map(({ id }) => {
          const places = (neighbours.get(id) ?? []).map((each) => placeOf.get(each) ?? 0);
          const own = placeOf.get(id) ?? 0;
          return [id, places.length === 0 ? own : places.reduce((sum, each) => sum + each, 0) / places.length];
        }),
      );
      const sorted = [...layer].sort((a, b) => (mean.get(a.id) ?? 0) - (mean.get(b.id) ?? 0));
      for (const [i, { id }] of sorted.entries()) placeOf.set(id, (i + 0.5) / sorted.length);
      return sorted;
    });
  }
  return result;
}

function curve(from: BoxPlace, to: BoxPlace): string {
  const [x1, y1] = [from.x + BOX.width, from.y + from.height / 2];
  const [x2, y2] = [to.x, to.y + to.height / 2];
  const bend = Math.max(20, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
