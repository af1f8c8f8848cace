// The letters of a drawing as fonts inside it, so that it looks the same on a machine that has none of ours. Every font has a
// name that begins with the drawing's id: fonts of an inline drawing hold for the whole page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inherited, styleOf } from "../raster/chunks.ts";
import { XmlElement } from "../svg/xml.ts";
import { type LoadedFace, Typesetter } from "../text/typesetter.ts";
import { rangesOf, writeRanges } from "./coverage.ts";
import { subsetFont } from "./subset.ts";

/** A font as the texts of one family name it: in the stylesheet it is one rule. */
interface UsedFont {
  /** Its number in the drawing. Lists of families that begin with the same font of ours share it. */
  readonly family: number;
  readonly italic: boolean;
  readonly face: LoadedFace;
  readonly weights: Set<number>;
  readonly codePoints: Set<number>;
}

/** How much of fonts a drawing holds. */
export interface FontLimits {
  readonly rules: number;
  readonly chars: number;
}

const LIMITS: FontLimits = { rules: 64, chars: 8 * 1024 * 1024 };

/** A font that D2 has put into its drawing. */
const EMBEDDED = /^["']?d2-\d+-font-/;

/**
 * `root` is finished, and is changed: its texts name the fonts in its stylesheet first. Returns a warning if not all fonts
 * are in it.
 */
export async function embedFonts(root: XmlElement, limits = LIMITS): Promise<string | undefined> {
  const { used, families } = usedFonts(root, await Typesetter.load());
  if (used.length === 0) return undefined;
  const prefix = `${root.attributes.get("id") ?? "drawing"}-font`;
  const rules = await rulesOf(used, prefix, limits);
  nameFirst(root, families, prefix);
  const style = new XmlElement("style");
  style.append(rules.join(""));
  style.parentElement = root;
  root.children.unshift(style);
  const left = used.length - rules.length;
  return left > 0 ? `The drawing needs ${used.length} fonts; ${left} of them are not embedded.` : undefined;
}

/** The fonts of the drawing's texts, and the number of each list of families. */
function usedFonts(root: XmlElement, typesetter: Typesetter): { used: UsedFont[]; families: Map<string, number> } {
  const firsts = new Map<string, number>();
  const families = new Map<string, number>();
  const used = new Map<string, UsedFont>();
  for (const { text, element } of textsIn(root)) {
    const list = inherited(element, "font-family") ?? "";
    const style = styleOf(element, 16);
    const first = typesetter.partsOf("a", style)[0]?.face.family ?? "";
    const own = EMBEDDED.test(list) ? first : undefined;
    for (const { text: letters, face } of typesetter.partsOf(text, style)) {
      if (face.family === own) continue;
      const family = firsts.get(first) ?? firsts.size;
      firsts.set(first, family);
      families.set(list, family);
      const { italic } = style;
      const key = `${family} ${italic} ${face.path}`;
      const font = used.get(key) ?? { family, italic, face, weights: new Set(), codePoints: new Set() };
      used.set(key, font);
      font.weights.add(Math.min(Math.max(style.weight, 1), 1000));
      for (const letter of letters) font.codePoints.add(letter.codePointAt(0) ?? 0);
    }
  }
  return { used: [...used.values()], families };
}

/** Each file is read and subset once, one after the other: a file of Chinese has many megabytes. */
async function rulesOf(used: readonly UsedFont[], prefix: string, limits: FontLimits): Promise<string[]> {
  const letters = new Map<string, Set<number>>();
  for (const { face, codePoints } of used) {
    const all = letters.get(face.path) ?? new Set();
    letters.set(face.path, all);
    for (const codePoint of codePoints) all.add(codePoint);
  }
  const subsets = new Map<string, string>();
  const rules: string[] = [];
  let chars = 0;
  for (const font of used) {
    const { path } = font.face;
    const base64 = subsets.get(path) ?? (await subsetOf(path, letters.get(path) ?? font.codePoints));
    subsets.set(path, base64);
    const rule = ruleOf(font, prefix, base64);
    chars += rule.length;
    if (rules.length === limits.rules || chars > limits.chars) break;
    rules.push(rule);
  }
  return rules;
}

function* textsIn(root: XmlElement): Generator<{ text: string; element: XmlElement }> {
  for (const element of root.descendants()) {
    if (element.localName !== "text" && element.localName !== "tspan" && element.localName !== "textPath") continue;
    for (const child of element.children)
      if (typeof child === "string" && child.trim() !== "") yield { text: child, element };
  }
}

async function subsetOf(path: string, codePoints: ReadonlySet<number>): Promise<string> {
  const { compress } = createRequire(import.meta.url)("wawoff2") as {
    compress(font: Uint8Array): Promise<Uint8Array>;
  };
  const subset = await subsetFont(new Uint8Array(readFileSync(path)), { codePoints });
  return Buffer.from(await compress(subset)).toString("base64");
}

function ruleOf({ family, italic, weights, codePoints }: UsedFont, prefix: string, base64: string): string {
  const range = writeRanges(rangesOf(codePoints))
    .split(",")
    .map((each) => `U+${each}`)
    .join(",");
  const [lightest, heaviest] = [Math.min(...weights), Math.max(...weights)];
  const weight = lightest === heaviest ? lightest : `${lightest} ${heaviest}`;
  const look = `font-weight:${weight};font-style:${italic ? "italic" : "normal"}`;
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
