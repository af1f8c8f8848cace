// Gradients and patterns as PDF's patterns, whose matrix leads from the page, not from the shape.

import type { XmlElement } from "../svg/xml.ts";
import { rgbOf } from "./colour.ts";
import type { PdfFile } from "./file.ts";
import { matrixOf, num, nums, type PdfMatrix, times } from "./matrix.ts";
import type { Extent } from "./path.ts";

interface Stop {
  readonly at: number;
  readonly rgb: readonly number[];
  readonly opacity: number;
}

export interface Gradient {
  readonly pattern: number;
  /** PDF's gradients have one opacity: that of the stops together. */
  readonly opacity: number;
}

export function gradientOf(
  element: XmlElement,
  { file, matrix, extent }: { file: PdfFile; matrix: PdfMatrix; extent: Extent },
): Gradient | undefined {
  const stops = stopsOf(element);
  const [first] = stops;
  if (first === undefined) return undefined;
  const { attributes } = element;
  const inBox: PdfMatrix =
    attributes.get("gradientUnits") === "userSpaceOnUse"
      ? [1, 0, 0, 1, 0, 0]
      : [extent.width || 1, 0, 0, extent.height || 1, extent.x, extent.y];
  const whole = times(times(matrix, inBox), matrixOf(attributes.get("gradientTransform")));
  const number = (name: string, otherwise: number) => Number(attributes.get(name) ?? otherwise);
  const isRadial = element.localName === "radialGradient";
  const [cx, cy] = [number("cx", 0.5), number("cy", 0.5)];
  const coordinates = isRadial
    ? [number("fx", cx), number("fy", cy), number("fr", 0), cx, cy, number("r", 0.5)]
    : [number("x1", 0), number("y1", 0), number("x2", 1), number("y2", 0)];
  const shading = `<< /ShadingType ${isRadial ? 3 : 2} /ColorSpace /DeviceRGB /Coords [${nums(coordinates)}] /Function ${functionOf(stops)} /Extend [true true] >>`;
  const pattern = file.add(`<< /PatternType 2 /Matrix [${nums(whole)}] /Shading ${shading} >>`);
  const opacity = stops.reduce((sum, stop) => sum + stop.opacity, 0) / stops.length;
  return { pattern, opacity };
}

function stopsOf(element: XmlElement): Stop[] {
  let last = 0;
  return element.elements
    .filter(({ localName }) => localName === "stop")
    .map(({ attributes }) => {
      last = Math.max(last, Math.min(1, Number(attributes.get("offset") ?? 0) || 0));
      return {
        at: last,
        rgb: rgbOf(attributes.get("stop-color") ?? "#000000"),
        opacity: Number(attributes.get("stop-opacity") ?? 1),
      };
    });
}

function functionOf(stops: readonly Stop[]): string {
  const between = (from: Stop, to: Stop) =>
    `<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [${nums(from.rgb)}] /C1 [${nums(to.rgb)}] >>`;
  const [first] = stops as [Stop];
  const last = stops.at(-1) as Stop;
  const all = [{ ...first, at: 0 }, ...stops, { ...last, at: 1 }];
  const pairs = all.slice(1).flatMap((to, at) => {
    const from = all[at] as Stop;
    return to.at > from.at ? [[from, to] as const] : [];
  });
  const [only] = pairs;
  if (only === undefined) return between(last, last);
  if (pairs.length === 1) return between(...only);
  const bounds = pairs.slice(0, -1).map(([, to]) => num(to.at));
  const parts = pairs.map(([from, to]) => between(from, to));
  return `<< /FunctionType 3 /Domain [0 1] /Functions [${parts.join(" ")}] /Bounds [${bounds.join(" ")}] /Encode [${pairs.map(() => "0 1").join(" ")}] >>`;
}
