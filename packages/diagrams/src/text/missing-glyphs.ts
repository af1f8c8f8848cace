import type { XmlElement } from "../svg/xml.ts";
import { scriptOf } from "./scripts.ts";
import { Typesetter } from "./typesetter.ts";

const BEYOND_LATIN = /[\u0250-\u{10ffff}]/u;

/** The scripts of the letters, as Unicode names them. */
export function scriptsOf(characters: readonly string[]): string[] {
  return [...new Set(characters.map((character) => scriptOf(character) ?? "Symbols"))].sort();
}

export function missingGlyphs(characters: readonly string[]): string {
  const code = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const shown = characters.slice(0, 10).map((character) => `${character} (U+${code(character)})`);
  const more = characters.length > shown.length ? ` and ${characters.length - shown.length} more` : "";
  const scripts = scriptsOf(characters).join(", ");
  return `No installed font has ${shown.join(", ")}${more} (script: ${scripts}). Their widths are estimated, and a PNG shows boxes. Add a font: millrace fonts add <npm package or file>.`;
}

/** For engines that measure by themselves: what no font of ours has in a finished drawing. */
export async function missingIn(root: XmlElement): Promise<string[]> {
  const texts = [...root.descendants()].filter(
    ({ localName, text }) => localName === "text" && BEYOND_LATIN.test(text),
  );
  if (texts.length === 0) return [];
  const typesetter = await Typesetter.load();
  for (const { text } of texts) typesetter.noteMissing(text);
  const missing = typesetter.drainMissing();
  return missing.length === 0 ? [] : [missingGlyphs(missing)];
}
