import type { XmlElement } from "../svg/xml.ts";
import { Typesetter } from "./typesetter.ts";

const BEYOND_LATIN = /[\u0250-\u{10ffff}]/u;

const FONT_FOR: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/u, "noto-sans-kr"],
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, "noto-sans-jp"],
  [/\p{Script=Han}/u, "noto-sans-sc"],
  [/\p{Script=Arabic}/u, "noto-sans-arabic"],
  [/\p{Script=Devanagari}/u, "noto-sans-devanagari"],
  [/\p{Script=Thai}/u, "noto-sans-thai"],
  [/\p{Emoji_Presentation}/u, "noto-emoji"],
];

export function missingGlyphs(characters: readonly string[]): string {
  const code = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const shown = characters.slice(0, 10).map((character) => `${character} (U+${code(character)})`);
  const more = characters.length > shown.length ? ` and ${characters.length - shown.length} more` : "";
  const packages = FONT_FOR.filter(([script]) => characters.some((character) => script.test(character)));
  const advice = packages.map(([, name]) => `npm install @expo-google-fonts/${name}`).join(", ");
  const rest = advice === "" ? "" : ` Install one: ${advice}.`;
  return `No installed font has ${shown.join(", ")}${more}. Their widths are estimated, and a PNG shows boxes.${rest}`;
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
