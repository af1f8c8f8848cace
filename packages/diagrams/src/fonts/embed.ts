// The letters of a drawing as fonts inside it, so that it looks the same on a machine that has none of ours. Every font has a
// name that begins with the drawing's id: fonts of an inline drawing hold for the whole page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inherited, styleOf } from "../raster/chunks.ts";
import { XmlElement } from "../svg/xml.ts";
import { type LoadedFace, type TextStyle, Typesetter } from "../text/typesetter.ts";
import { rangesOf, writeRanges } from "./coverage.ts";
import { subsetFont } from "./subset.ts";

interface UsedFont {
  /** Its number in the drawing: texts with the same list of families share it. */
  readonly family: number;
  readonly style: TextStyle;
  readonly face: LoadedFace;
  readonly codePoints: Set<number>;
}

/** A font that D2 has put into its drawing. */
const EMBEDDED = /^["']?d2-\d+-font-/;

/** `root` is finished, and is changed: its texts name the fonts in its stylesheet first. */
export async function embedFonts(root: XmlElement): Promise<void> {
  const typesetter = await Typesetter.load();
  const families = new Map<string, number>();
  const used = new Map<string, UsedFont>();
  for (const { text, element } of textsIn(root)) {
    const list = inherited(element, "font-family") ?? "";
    const style = styleOf(element, 16);
    const own = EMBEDDED.test(list) ? typesetter.partsOf("a", style)[0]?.face.family : undefined;
    for (const { text: letters, face } of typesetter.partsOf(text, style)) {
      if (face.family === own) continue;
      const family = families.get(list) ?? families.size;
      families.set(list, family);
      const key = `${family} ${style.weight} ${style.italic} ${face.path}`;
      const font = used.get(key) ?? { family, style, face, codePoints: new Set() };
      used.set(key, font);
      for (const letter of letters) font.codePoints.add(letter.codePointAt(0) ?? 0);
    }
  }
  if (used.size === 0) return;
  const prefix = `${root.attributes.get("id") ?? "drawing"}-font`;
  const rules = await Promise.all([...used.values()].map((font) => ruleOf(font, prefix)));
  nameFirst(root, families, prefix);
  const style = new XmlElement("style");
  style.append(rules.join(""));
  style.parentElement = root;
  root.children.unshift(style);
}

function* textsIn(root: XmlElement): Generator<{ text: string; element: XmlElement }> {
  for (const element of root.descendants()) {
    if (element.localName !== "text" && element.localName !== "tspan" && element.localName !== "textPath") continue;
    for (const child of element.children)
      if (typeof child === "string" && child.trim() !== "") yield { text: child, element };
  }
}

async function ruleOf({ family, style, face, codePoints }: UsedFont, prefix: string): Promise<string> {
  const { compress } = createRequire(import.meta.url)("wawoff2") as {
    compress(font: Uint8Array): Promise<Uint8Array>;
  };
  const subset = await subsetFont(new Uint8Array(readFileSync(face.path)), { codePoints });
  const base64 = Buffer.from(await compress(subset)).toString("base64");
  const range = writeRanges(rangesOf(codePoints))
    .split(",")
    .map((each) => `U+${each}`)
    .join(",");
  const look = `font-weight:${style.weight};font-style:${style.italic ? "italic" : "normal"}`;
  return `@font-face{font-family:"${prefix}-${family}";${look};unicode-range:${range};src:url(data:font/woff2;base64,${base64}) format("woff2")}`;
}

/** A text without a family of its own has that of its root. */
function nameFirst(root: XmlElement, families: ReadonlyMap<string, number>, prefix: string): void {
  const withName = (list: string, family: number) => {
    const [first = "", ...others] = list === "" ? ["sans-serif"] : list.split(",");
    const own = `"${prefix}-${family}"`;
    return (EMBEDDED.test(list) ? [first, own, ...others] : [own, first, ...others]).join(",");
  };
  for (const element of [root, ...root.descendants()]) {
    const list = element.attributes.get("font-family");
    const family = list === undefined ? undefined : families.get(list);
    if (list !== undefined && family !== undefined) element.attributes.set("font-family", withName(list, family));
  }
  const unnamed = families.get("");
  if (unnamed !== undefined) root.attributes.set("font-family", withName("", unnamed));
}
