import { alphaOf } from "../colour.ts";
import type { XmlElement } from "../svg/xml.ts";

interface Opacity {
  /** What fill-opacity or stroke-opacity says. */
  readonly said: number;
  /** Of the colour itself. */
  readonly ofColour: number;
}

const OPAQUE: Opacity = { said: 1, ofColour: 1 };

/** Colours that are partly transparent as a colour and an opacity: Inkscape draws `rgba(…)` black. */
export function plainOpacity(root: XmlElement): void {
  walk(root, { fill: OPAQUE, stroke: OPAQUE });
}

/** Mermaid's grounds of edge labels let a fifth of the line through where labels are SVG texts: the words are read over it. */
export function opaqueLabelGrounds(root: XmlElement): void {
  for (const label of root.descendants()) {
    if (!hasClass(label, "edgeLabel")) continue;
    for (const ground of label.descendants())
      if (hasClass(ground, "background")) ground.attributes.delete("fill-opacity");
  }
}

function hasClass({ attributes }: XmlElement, name: string): boolean {
  return attributes.get("class")?.split(/\s+/).includes(name) === true;
}

type PaintOpacities = Readonly<Record<"fill" | "stroke", Opacity>>;

function walk(element: XmlElement, inherited: PaintOpacities): void {
  const { attributes } = element;
  for (const name of ["stop", "flood"]) {
    const split = alphaOf(attributes.get(`${name}-color`));
    if (split === undefined) continue;
    attributes.set(`${name}-color`, split.colour);
    attributes.set(`${name}-opacity`, short(split.alpha * number(attributes.get(`${name}-opacity`), 1)));
  }
  const own: PaintOpacities = {
    fill: paint(element, "fill", inherited.fill),
    stroke: paint(element, "stroke", inherited.stroke),
  };
  for (const child of element.elements) walk(child, own);
}

function paint({ attributes }: XmlElement, name: "fill" | "stroke", inherited: Opacity): Opacity {
  const value = attributes.get(name);
  const split = alphaOf(value);
  const said = number(attributes.get(`${name}-opacity`), inherited.said);
  const ofColour = split?.alpha ?? (value === undefined ? inherited.ofColour : 1);
  if (split !== undefined) attributes.set(name, split.colour);
  const isInherited = said * ofColour === inherited.said * inherited.ofColour;
  if (!isInherited) attributes.set(`${name}-opacity`, short(said * ofColour));
  return { said, ofColour };
}

function number(text: string | undefined, otherwise: number): number {
  const value = Number.parseFloat(text ?? "");
  if (Number.isNaN(value)) return otherwise;
  return text?.trim().endsWith("%") ? value / 100 : value;
}

function short(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
