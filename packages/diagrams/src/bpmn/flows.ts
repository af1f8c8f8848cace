// The lines of BPMN: sequence flows, message flows, associations.

import { el } from "../svg/plain-drawing.ts";
import type { XmlElement } from "../svg/xml.ts";
import { type BpmnElement, boundsOf, finite, isA, type PlaneElement, type Waypoint } from "./model.ts";
import { coloursOf } from "./shapes.ts";
import type { LabelWriter } from "./text.ts";

const LABEL_PX = 90;
const CORNER_PX = 5;

export function flowOf(shown: PlaneElement, element: BpmnElement, lettering: LabelWriter): XmlElement | undefined {
  const points = pointsOf(shown);
  const [first, second] = points;
  const [before, last] = points.slice(-2);
  if (first === undefined || second === undefined || before === undefined || last === undefined) return undefined;
  const { stroke } = coloursOf(shown);
  const isMessage = isA(element, "MessageFlow");
  const isLoose = isA(element, "Association", "DataInputAssociation", "DataOutputAssociation");
  const dash = isMessage ? { "stroke-dasharray": "8 5" } : isLoose ? { "stroke-dasharray": "1 4" } : {};
  const line = { d: rounded(points), fill: "none", stroke, "stroke-width": 1.5, ...dash };
  const parts = [el("path", { ...line, "stroke-linejoin": "round", "stroke-linecap": isLoose ? "round" : "butt" })];
  if (isMessage) {
    parts.push(el("circle", { cx: first.x, cy: first.y, r: 4, fill: "white", stroke, "stroke-width": 1.2 }));
    parts.push(head(before, last, { stroke, fill: "white", "stroke-width": 1.2 }));
  } else if (!isLoose) parts.push(head(before, last, { fill: stroke }));
  else if (hasHead(element)) parts.push(openHead(before, last, stroke));
  parts.push(...startOf(element, first, second, stroke));
  return el(
    "g",
    { class: "bpmn-flow", "data-element-id": element.id },
    ...parts,
    ...labelOf(shown, element, points, lettering),
  );
}

export function pointsOf({ waypoint = [] }: PlaneElement): Waypoint[] {
  return waypoint.map(({ x, y }) => ({ x: finite(x), y: finite(y) }));
}

function hasHead(element: BpmnElement): boolean {
  if (isA(element, "Association")) return ["One", "Both"].includes(element.associationDirection ?? "None");
  return true;
}

/** A default flow has a stroke across its start, a conditional one a diamond. */
function startOf(element: BpmnElement, from: Waypoint, to: Waypoint, stroke: string): XmlElement[] {
  const source = Array.isArray(element.sourceRef) ? undefined : (element.sourceRef as BpmnElement | undefined);
  if (source === undefined || !isA(element, "SequenceFlow")) return [];
  const transform = turned(from, to);
  if (source.default === element) return [el("path", { d: "M7 -5L12 5", stroke, "stroke-width": 1.5, transform })];
  const isGateway = source.$type.endsWith("Gateway");
  if (element.conditionExpression === undefined || isGateway) return [];
  return [el("path", { d: "M0 0L8 -5L16 0L8 5Z", fill: "white", stroke, "stroke-width": 1.2, transform })];
}

function head(from: Waypoint, to: Waypoint, style: Readonly<Record<string, string | number>>): XmlElement {
  return el("path", { d: "M0 0L-10 -5V5Z", ...style, transform: turned(to, from, 180) });
}

function openHead(from: Waypoint, to: Waypoint, stroke: string): XmlElement {
  const d = "M-9 -5L0 0L-9 5";
  return el("path", { d, fill: "none", stroke, "stroke-width": 1.5, transform: turned(to, from, 180) });
}

/** To the first point, with the x axis along the line to the second. */
function turned(at: Waypoint, along: Waypoint, more = 0): string {
  const degrees = (Math.atan2(along.y - at.y, along.x - at.x) * 180) / Math.PI + more;
  return `translate(${short(at.x)} ${short(at.y)}) rotate(${short(degrees)})`;
}

function rounded(points: readonly Waypoint[]): string {
  return points
    .map((point, at) => {
      const [before, after] = [points[at - 1], points[at + 1]];
      if (before === undefined) return `M${short(point.x)} ${short(point.y)}`;
      if (after === undefined) return `L${short(point.x)} ${short(point.y)}`;
      const [from, to] = [towards(point, before), towards(point, after)];
      return `L${short(from.x)} ${short(from.y)}Q${short(point.x)} ${short(point.y)} ${short(to.x)} ${short(to.y)}`;
    })
    .join("");
}

function towards(from: Waypoint, to: Waypoint): Waypoint {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.sqrt(dx * dx + dy * dy);
  const share = length === 0 ? 0 : Math.min(CORNER_PX, length / 2) / length;
  return { x: from.x + dx * share, y: from.y + dy * share };
}

function labelOf(
  shown: PlaneElement,
  { name }: BpmnElement,
  points: readonly Waypoint[],
  lettering: LabelWriter,
): XmlElement[] {
  if (name === undefined || name.trim() === "") return [];
  const given = shown.label?.bounds;
  if (given !== undefined) {
    const own = boundsOf(given);
    return lettering.inBox(name, { ...own, x: own.x - 4, width: own.width + 8 }, { align: "top" });
  }
  const { x, y, isUpright } = middleOf(points);
  const height = lettering.heightPx(name, LABEL_PX);
  if (isUpright)
    return lettering.inBox(name, { x: x + 5, y: y - height / 2, width: LABEL_PX, height }, { anchor: "start" });
  const box = { x: x - LABEL_PX / 2, y: y - height - 4, width: LABEL_PX, height };
  return lettering.inBox(name, box, { align: "top" });
}

/** Half of the way along the line. */
function middleOf(points: readonly Waypoint[]): Waypoint & { isUpright: boolean } {
  const lengths = points.slice(1).map((point, at) => {
    const { x, y } = points[at] as Waypoint;
    return Math.sqrt((point.x - x) ** 2 + (point.y - y) ** 2);
  });
  let left = lengths.reduce((sum, length) => sum + length, 0) / 2;
  for (const [at, length] of lengths.entries()) {
    const [from, to] = [points[at] as Waypoint, points[at + 1] as Waypoint];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const share = left / length;
    if (left <= length && length > 0)
      return { x: from.x + dx * share, y: from.y + dy * share, isUpright: Math.abs(dy) > Math.abs(dx) };
    left -= length;
  }
  return { ...(points[0] as Waypoint), isUpright: false };
}

function short(number: number): number {
  return Math.round(number * 100) / 100;
}
