// The shapes of BPMN, as its specification draws them.

import { isColour } from "../colour.ts";
import { el } from "../svg/plain-drawing.ts";
import type { XmlElement } from "../svg/xml.ts";
import { EVENT_ICONS, GATEWAY_ICONS, type Icon, MARKERS, TASK_ICONS, TERMINATE } from "./icons.ts";
import { type Bounds, type BpmnElement, boundsOf, isA, type PlaneElement, plainType } from "./model.ts";
import { INK, type LabelWriter } from "./text.ts";

const HEAD_PX = 30;
const RADIUS_PX = 10;
const BELOW_PX = 110;

export interface Colours {
  readonly stroke: string;
  readonly fill: string;
}

/** Of the shape, as bpmn.io's and the OMG's extensions write them. */
export function coloursOf(shown: PlaneElement): Colours {
  const colour = (...names: readonly string[]) =>
    names
      .map((name) => shown.get?.(name) ?? shown.$attrs?.[name])
      .find((value): value is string => typeof value === "string" && isColour(value));
  return {
    stroke: colour("color:border-color", "bioc:stroke") ?? INK,
    fill: colour("color:background-color", "bioc:fill") ?? "white",
  };
}

export function shapeOf(shown: PlaneElement, element: BpmnElement, lettering: LabelWriter): XmlElement {
  const bounds = boundsOf(shown.bounds as Bounds);
  const colours = coloursOf(shown);
  const type = plainType(element);
  const parts: XmlElement[] = [];
  if (type === "Participant" || type === "Lane") parts.push(...lane(shown, element, bounds, colours, lettering));
  else if (type.endsWith("Event")) parts.push(...event(element, bounds, colours));
  else if (type.endsWith("Gateway")) parts.push(...gateway(shown, element, bounds, colours));
  else if (type.startsWith("Data")) parts.push(...data(element, bounds, colours));
  else if (type === "TextAnnotation") parts.push(...annotation(element, bounds, colours, lettering));
  else if (type === "Group") parts.push(group(bounds, colours));
  else parts.push(...activity(shown, element, bounds, colours, lettering));
  const name = type === "Group" ? element.categoryValueRef?.value : element.name;
  const isBeside = /Event$|Gateway$|^Data|^Group$/.test(type);
  if (isBeside && name !== undefined)
    parts.push(...label(shown, name, { bounds, isAbove: type.endsWith("Gateway") }, lettering));
  return el("g", { class: "bpmn-shape", "data-element-id": element.id }, ...parts);
}

/** Lines leave a gateway at its sides and below more often than above. */
function label(
  { label: place }: PlaneElement,
  name: string,
  { bounds, isAbove }: { bounds: Bounds; isAbove: boolean },
  lettering: LabelWriter,
): XmlElement[] {
  if (place?.bounds !== undefined) {
    const own = boundsOf(place.bounds);
    // Other tools measure with other fonts: a name may be a little wider than its place.
    const box = { ...own, x: own.x - 4, width: own.width + 8 };
    return lettering.inBox(name, box, { align: "top" });
  }
  const x = bounds.x + bounds.width / 2 - BELOW_PX / 2;
  const y = isAbove ? bounds.y - lettering.heightPx(name, BELOW_PX) - 3 : bounds.y + bounds.height + 5;
  return lettering.inBox(name, { x, y, width: BELOW_PX, height: 0 }, { align: "top" });
}

function lane(
  { isHorizontal = true }: PlaneElement,
  { name, $type }: BpmnElement,
  bounds: Bounds,
  { stroke, fill }: Colours,
  lettering: LabelWriter,
): XmlElement[] {
  const { x, y, width, height } = bounds;
  const style = { fill, "fill-opacity": $type === "bpmn:Lane" ? 0.35 : 1, stroke, "stroke-width": 1.5 };
  const rect = el("rect", { x, y, width, height, ...style });
  if (!isHorizontal) {
    const line = el("path", { d: `M${x} ${y + HEAD_PX}h${width}`, stroke, fill: "none" });
    return [rect, line, ...lettering.inBox(name, { x, y, width, height: HEAD_PX }, { isCut: true })];
  }
  const line = el("path", { d: `M${x + HEAD_PX} ${y}v${height}`, stroke, fill: "none" });
  const turned = lettering.inBox(name, { x: -height / 2, y: -HEAD_PX / 2, width: height, height: HEAD_PX });
  const transform = `translate(${x + HEAD_PX / 2} ${y + height / 2}) rotate(-90)`;
  return [rect, line, el("g", { transform }, ...turned)];
}

function activity(
  shown: PlaneElement,
  element: BpmnElement,
  bounds: Bounds,
  { stroke, fill }: Colours,
  lettering: LabelWriter,
): XmlElement[] {
  const { x, y, width, height } = bounds;
  const type = plainType(element);
  const isProcess = isA(element, "SubProcess", "Transaction", "AdHocSubProcess");
  const isExpanded = isProcess && shown.isExpanded === true;
  const dash = element.triggeredByEvent === true ? { "stroke-dasharray": "1 3" } : {};
  const rect = (inset: number, more: object) =>
    el("rect", {
      ...{ x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset },
      ...{ rx: RADIUS_PX - inset, stroke, fill: inset === 0 ? fill : "none", "stroke-width": 1.5, ...dash, ...more },
    });
  const parts = [rect(0, type === "CallActivity" ? { "stroke-width": 4 } : {})];
  if (type === "Transaction") parts.push(rect(3, {}));
  const icon = TASK_ICONS[type];
  if (icon !== undefined) parts.push(...sign(icon, x + 15, y + 14, stroke));
  const markers = markersOf(element, isProcess && !isExpanded);
  for (const [at, marker] of markers.entries())
    parts.push(...sign(marker, x + width / 2 + (at - (markers.length - 1) / 2) * 18, y + height - 10, stroke));
  const inset = { x: x + 5, y: y + 5, width: width - 10, height: height - 10 };
  parts.push(...lettering.inBox(element.name, inset, isExpanded ? { align: "top", isCut: true } : { isCut: true }));
  return parts;
}

function markersOf(element: BpmnElement, isCollapsed: boolean): Icon[] {
  const { loopCharacteristics, isForCompensation } = element;
  const markers: Icon[] = [];
  if (isCollapsed) markers.push(MARKERS.collapsed);
  if (loopCharacteristics?.$type === "bpmn:StandardLoopCharacteristics") markers.push(MARKERS.loop);
  else if (loopCharacteristics !== undefined)
    markers.push(loopCharacteristics.isSequential === true ? MARKERS.sequential : MARKERS.parallel);
  if (isForCompensation === true) markers.push(MARKERS.compensation);
  if (element.$type === "bpmn:AdHocSubProcess") markers.push(MARKERS.adHoc);
  return markers;
}

function event(element: BpmnElement, bounds: Bounds, { stroke, fill }: Colours): XmlElement[] {
  const type = plainType(element);
  const [cx, cy] = [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2];
  const r = Math.min(bounds.width, bounds.height) / 2;
  const isLoose = element.isInterrupting === false || element.cancelActivity === false;
  const dash = isLoose ? { "stroke-dasharray": "4 3" } : {};
  const circle = (radius: number, width: number) =>
    el("circle", { cx, cy, r: Math.max(0.5, radius), fill, stroke, "stroke-width": width, ...dash });
  const parts = [circle(r, type === "EndEvent" ? 3.5 : 1.5)];
  if (type.startsWith("Intermediate") || type === "BoundaryEvent") parts.push(circle(r - 3, 1.5));
  const { eventDefinitions = [], parallelMultiple = false } = element;
  const [definition] = eventDefinitions;
  if (definition === undefined) return parts;
  const scale = r / 18;
  if (isA(definition, "TerminateEventDefinition"))
    return [...parts, ...sign({ fill: TERMINATE }, cx, cy, stroke, scale * 1.25)];
  const several = parallelMultiple ? "ParallelMultipleEventDefinition" : "MultipleEventDefinition";
  const path = EVENT_ICONS[eventDefinitions.length > 1 ? several : plainType(definition)];
  if (path === undefined) return parts;
  const isThrown = type === "EndEvent" || type === "IntermediateThrowEvent";
  const drawn = isThrown ? thrown(definition, path) : { line: path };
  return [...parts, ...sign(drawn, cx, cy, stroke, scale * 1.1)];
}

/** A filled envelope needs its flap in another colour. */
function thrown(definition: BpmnElement, path: string): Icon {
  return isA(definition, "MessageEventDefinition") ? (TASK_ICONS["SendTask"] as Icon) : { fill: path };
}

function gateway(
  { isMarkerVisible }: PlaneElement,
  element: BpmnElement,
  { x, y, width, height }: Bounds,
  { stroke, fill }: Colours,
): XmlElement[] {
  const [cx, cy] = [x + width / 2, y + height / 2];
  const d = `M${cx} ${y}L${x + width} ${cy}L${cx} ${y + height}L${x} ${cy}Z`;
  const parts = [el("path", { d, fill, stroke, "stroke-width": 1.5 })];
  const icon = GATEWAY_ICONS[plainType(element)];
  const isPlain = isA(element, "ExclusiveGateway") && isMarkerVisible !== true;
  return icon === undefined || isPlain ? parts : [...parts, ...sign(icon, cx, cy, stroke, width / 50)];
}

function data(element: BpmnElement, { x, y, width, height }: Bounds, { stroke, fill }: Colours): XmlElement[] {
  const style = { fill, stroke, "stroke-width": 1.5 };
  if (isA(element, "DataStoreReference", "DataStore")) {
    const [ry, rx] = [height / 7, width / 2];
    const arc = (sweep: 0 | 1, dx: number) => `a${rx} ${ry} 0 0 ${sweep} ${dx} 0`;
    const body = `M${x} ${y + ry}${arc(1, width)}v${height - 2 * ry}${arc(1, -width)}Z`;
    const rims = [0, ry * 0.8, ry * 1.6].map((down) => `M${x} ${y + ry + down}${arc(0, width)}`).join("");
    return [el("path", { d: body, ...style }), el("path", { d: rims, ...style, fill: "none" })];
  }
  const fold = Math.min(width, height) / 3;
  const d = `M${x} ${y}H${x + width - fold}L${x + width} ${y + fold}V${y + height}H${x}Z`;
  const corner = `M${x + width - fold} ${y}V${y + fold}H${x + width}`;
  const isMany = element.isCollection === true || element.dataObjectRef?.isCollection === true;
  const parts = [el("path", { d, ...style }), el("path", { d: corner, ...style, fill: "none" })];
  return isMany ? [...parts, ...sign(MARKERS.parallel, x + width / 2, y + height - 10, stroke)] : parts;
}

function annotation({ text }: BpmnElement, bounds: Bounds, { stroke }: Colours, lettering: LabelWriter): XmlElement[] {
  const { x, y, width, height } = bounds;
  const d = `M${x + 10} ${y}H${x}V${y + height}H${x + 10}`;
  const box = { x: x + 6, y: y + 4, width: width - 8, height: height - 8 };
  return [
    el("path", { d, fill: "none", stroke, "stroke-width": 1.5 }),
    ...lettering.inBox(text, box, { anchor: "start", align: "top" }),
  ];
}

function group({ x, y, width, height }: Bounds, { stroke }: Colours): XmlElement {
  const dash = { "stroke-width": 1.5, "stroke-dasharray": "8 4 1 4" };
  return el("rect", { x, y, width, height, rx: RADIUS_PX, fill: "none", stroke, ...dash });
}

function sign({ line, fill }: Icon, x: number, y: number, colour: string, scale = 1): XmlElement[] {
  const transform = `translate(${x} ${y}) scale(${Math.round(scale * 1000) / 1000})`;
  const filled = fill === undefined ? [] : [el("path", { d: fill, fill: colour, transform })];
  const style = { fill: "none", stroke: colour, "stroke-width": 1.2, transform };
  return [...filled, ...(line === undefined ? [] : [el("path", { d: line, ...style })])];
}
