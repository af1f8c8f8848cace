// Gives every part of a text its font and, where a line needs several, its place. Left to itself, resvg takes the first file
// that has a letter, of whatever weight; and a line of several fonts in which signs join loses letters or is not drawn at all.
// With places of their own the parts are lines of their own, and each is shaped with one font.

import { XmlElement } from "./svg/xml.ts";
import { type TextStyle, Typesetter } from "./text/typesetter.ts";

const BEYOND_LATIN = /[\u0250-\u{10ffff}]/u;

interface Part {
  readonly text: string;
  /** What the elements around it say, up to the line. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** The families that the drawing needs beside those of Latin. */
export async function nameFonts(
  root: XmlElement,
  { sans, mono }: { sans: string; mono: string },
): Promise<Set<string>> {
  const needed = new Set<string>();
  const texts = [...root.descendants()].filter((each) => each.localName === "text" && BEYOND_LATIN.test(each.text));
  if (texts.length === 0) return needed;
  const typesetter = await Typesetter.load();
  for (const text of texts) {
    let y = text.attributes.get("y") ?? "0";
    for (const line of linesOf(text)) {
      y = line.attributes.get("y") ?? y;
      const runs = merged(partsOf(line, line, new Map())).flatMap((part) =>
        typesetter.familiesOf(part.text).map((run) => ({ ...part, ...run })),
      );
      const others = runs.filter(({ family }) => family !== sans && family !== mono);
      if (others.length === 0) continue;
      for (const { family } of others) needed.add(family);
      const styled = runs.map((run) => ({ ...run, style: styleOf(run.attributes, line) }));
      const widths = styled.map(({ text: letters, style }) => typesetter.widthPx(letters, style));
      let x = startOf(
        line,
        widths.reduce((sum, width) => sum + width, 0),
      );
      const keepsLines = line.children.filter((child) => child instanceof XmlElement && child.attributes.has("x"));
      line.children.splice(0);
      for (const [at, { text: letters, family, attributes }] of styled.entries()) {
        const part = new XmlElement("tspan", attributes);
        if (styled.length > 1) {
          part.attributes.set("x", String(Math.round(x * 1000) / 1000));
          part.attributes.set("y", y);
          part.attributes.set("text-anchor", "start");
        }
        if (family !== sans && family !== mono) part.attributes.set("font-family", family);
        part.append(letters);
        line.append(part);
        x += widths[at] ?? 0;
      }
      for (const child of keepsLines) line.append(child);
    }
  }
  return needed;
}

/** The text itself and every part of it that has a place. */
function linesOf(text: XmlElement): XmlElement[] {
  return [text, ...[...text.descendants()].filter(({ attributes }) => attributes.has("x"))];
}

function partsOf(element: XmlElement, line: XmlElement, around: ReadonlyMap<string, string>): Part[] {
  const own = element === line ? around : new Map([...around, ...element.attributes]);
  return element.children.flatMap((child) => {
    if (typeof child === "string") return child === "" ? [] : [{ text: child, attributes: own }];
    return child.attributes.has("x") ? [] : partsOf(child, line, own);
  });
}

/** Neighbours that look alike are one: Mermaid writes every word on its own, and Arabic words want their neighbours. */
function merged(parts: readonly Part[]): Part[] {
  const key = ({ attributes }: Part) => JSON.stringify([...attributes].sort());
  const found: Part[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (last !== undefined && key(last) === key(part))
      found[found.length - 1] = { ...last, text: last.text + part.text };
    else found.push(part);
  }
  return found;
}

function startOf(line: XmlElement, widthPx: number): number {
  const anchor = inherited(line, "text-anchor");
  const share = anchor === "middle" ? 0.5 : anchor === "end" ? 1 : 0;
  return (Number.parseFloat(line.attributes.get("x") ?? "0") || 0) - widthPx * share;
}

function styleOf(attributes: ReadonlyMap<string, string>, line: XmlElement): TextStyle {
  const said = (name: string) => attributes.get(name) ?? inherited(line, name);
  const weight = said("font-weight") ?? "400";
  return {
    family: said("font-family") ?? "sans-serif",
    sizePx: Number.parseFloat(said("font-size") ?? "16") || 16,
    weight: /^bold/.test(weight) ? 700 : Number.parseInt(weight, 10) || 400,
    italic: said("font-style") === "italic",
  };
}

function inherited(element: XmlElement, name: string): string | undefined {
  for (let at: XmlElement | null = element; at !== null; at = at.parentElement) {
    const value = at.attributes.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}
