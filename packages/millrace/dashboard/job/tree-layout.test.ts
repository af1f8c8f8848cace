import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobTree } from "../../src/client/index.ts";
import { BOX, layoutOf } from "./tree-layout.ts";

type Edge = JobTree["edges"][number];

const node = (jobId: string, calls: JobTree["nodes"][number]["calls"] = []) =>
  ({ jobId, kind: "k", stage: "running", state: "pending", calls }) as const;
const edge = (from: string, to: string, type: Edge["type"] = "children"): Edge => ({ from, to, type, name: "call" });
const tree = (nodes: JobTree["nodes"], edges: Edge[]): JobTree => ({ jobId: "a", nodes, edges, truncated: false });
const layersOf = (laid: ReturnType<typeof layoutOf>) => {
  const layers = new Map<number, string[]>();
  for (const { id, x } of laid.boxes.toSorted((a, b) => a.x - b.x || a.y - b.y))
    layers.set(x, [...(layers.get(x) ?? []), id]);
  return [...layers.values()].map((layer) => layer.join(" "));
};

test("children stand right of their parent, beside their siblings, and no two boxes overlap", () => {
  const laid = layoutOf(
    tree(
      ["a", "b", "c", "c1", "b1", "c2", "b2"].map((id) => node(id)),
      [edge("a", "b"), edge("a", "c"), edge("c", "c1"), edge("b", "b1"), edge("c", "c2"), edge("b", "b2")],
    ),
  );
  assert.deepEqual(layersOf(laid), ["a", "b c", "b1 b2 c1 c2"]);
  for (const one of laid.boxes) {
    for (const other of laid.boxes) {
      if (one === other) continue;
      const apart = Math.abs(one.x - other.x) >= BOX.width || Math.abs(one.y - other.y) >= one.height;
      assert.ok(apart, `${one.id} and ${other.id}`);
    }
    assert.ok(one.x >= 0 && one.x + BOX.width <= laid.width && one.y >= 0 && one.y + one.height <= laid.height);
  }
  assert.equal(laid.lines.length, 6);
});

test("in a flow a dependency stands left of all jobs that wait for it", () => {
  const laid = layoutOf(
    tree(
      ["load", "clean", "enrich", "extract"].map((id) => node(id)),
      [
        edge("load", "clean", "after"),
        edge("load", "extract", "after"),
        edge("enrich", "clean", "after"),
        edge("load", "enrich", "after"),
        edge("clean", "extract", "after"),
      ],
    ),
  );
  assert.deepEqual(layersOf(laid), ["extract", "clean", "enrich", "load"]);
  assert.ok(laid.lines.every(({ isAwaited }) => isAwaited));
});

test("a grouped call is one box beside its job", () => {
  const counts = { open: 1, completed: 250, failed: 0, cancelled: 0, forgotten: 0 };
  const laid = layoutOf(tree([node("a", [{ type: "children", name: "leaves", counts, grouped: true }])], []));
  assert.deepEqual(layersOf(laid), ["a", "a children leaves"]);
  assert.equal(laid.lines.length, 1);
});

test("a circle, which a store never has, does not hang the page", () => {
  const laid = layoutOf(tree([node("a"), node("b")], [edge("a", "b"), edge("b", "a")]));
  assert.equal(laid.boxes.length, 2);
});
