// BPMN, read by bpmn-moddle and drawn by us.

import type { CommonOptions } from "../api/options.ts";
import type { DiagramEngine, Drawing, Fault } from "../engine.ts";
import { LoadedOnce } from "../loaded-once.ts";
import { el, plainDrawing, rounded, WHITE } from "../svg/plain-drawing.ts";
import type { XmlElement } from "../svg/xml.ts";
import { Typesetter } from "../text/typesetter.ts";
import { flowOf, pointsOf } from "./flows.ts";
import { type Bounds, boundsOf, type PlaneElement, plainType } from "./model.ts";
import { type Packages, readProcess } from "./read.ts";
import { shapeOf } from "./shapes.ts";
import { LabelWriter } from "./text.ts";

const MARGIN_PX = 10;

export class BpmnEngine implements DiagramEngine<CommonOptions> {
  readonly #packages = new LoadedOnce<Packages>(async () => {
    const [moddle, layout] = await Promise.all(["bpmn-moddle", "bpmn-auto-layout"].map(load));
    return { ...moddle, ...layout } as Packages;
  });
  readonly #lettering = new LoadedOnce(async () => new LabelWriter(await Typesetter.load()));

  async warmUp(): Promise<void> {
    await Promise.all([this.#packages.get(), this.#lettering.get()]);
  }

  async render(source: string): Promise<Drawing | { fault: Fault }> {
    const read = await readProcess(await this.#packages.get(), source);
    if ("fault" in read) return read;
    const { shown, warnings } = read;
    return plainDrawing(drawn(shown, await this.#lettering.get()), { ground: WHITE, warnings });
  }
}

/** The packages have no types of their own, so they are loaded by names that the compiler does not look up. */
async function load(name: string): Promise<Partial<Packages>> {
  return (await import(name)) as Partial<Packages>;
}

function drawn(shown: readonly PlaneElement[], lettering: LabelWriter): XmlElement {
  const places = shown.flatMap((each) => [
    ...(each.bounds === undefined ? [] : [boundsOf(each.bounds)]),
    ...(each.label?.bounds === undefined ? [] : [boundsOf(each.label.bounds)]),
    ...pointsOf(each).map(({ x, y }) => ({ x, y, width: 0, height: 0 })),
  ]);
  const parts = inOrder(shown).flatMap((each) => {
    const { bpmnElement: element } = each;
    if (element === undefined) return [];
    if (each.bounds !== undefined) return [shapeOf(each, element, lettering)];
    return flowOf(each, element, lettering) ?? [];
  });
  const { x, y, width, height } = around([...places, ...lettersIn(parts, lettering)]);
  const box = [x - MARGIN_PX, y - MARGIN_PX, width + 2 * MARGIN_PX, height + 2 * MARGIN_PX];
  return el("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: box.map(rounded).join(" ") }, ...parts);
}

/** Pools and lanes lie below all else, expanded processes below what is in them, events on borders above. */
function inOrder(shown: readonly PlaneElement[]): PlaneElement[] {
  const layer = ({ bpmnElement, bounds }: PlaneElement) => {
    const type = bpmnElement === undefined ? "" : plainType(bpmnElement);
    if (type === "Participant") return 0;
    if (type === "Lane") return 1;
    if (type === "BoundaryEvent") return 4;
    return bounds === undefined ? 3 : 2;
  };
  return [...shown].sort((a, b) => layer(a) - layer(b));
}

/** Names below symbols may reach further than what the file has places for. */
function lettersIn(parts: readonly XmlElement[], lettering: LabelWriter): Bounds[] {
  return parts.flatMap((part) =>
    part.elements.flatMap(({ localName, attributes, text }) => {
      if (localName !== "text") return [];
      const [x, y] = [Number(attributes.get("x")), Number(attributes.get("y"))];
      const width = lettering.widthPx(text);
      const left = attributes.get("text-anchor") === "middle" ? x - width / 2 : x;
      return [{ x: left, y: y - 11, width, height: 14 }];
    }),
  );
}

function around(places: readonly Bounds[]): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of places) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return right > left
    ? { x: left, y: top, width: right - left, height: bottom - top }
    : { x: 0, y: 0, width: 100, height: 60 };
}
