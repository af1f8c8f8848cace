// PlantUML draws its faults: green on black the lines up to the wrong one, in red below what is wrong with it.

import type { Fault } from "../engine.ts";
import type { XmlElement } from "../svg/xml.ts";

const PLACE = /^\[From (?:textarea|string|.{1,200}) \(line (\d+)\) ?\]$/;
const GREEN = "#33FF02";
const RED = "#FF0000";
const UNSUPPORTED = "Diagram not supported by this release of PlantUML";
const CRASH = /^An error has occu/;

/** `added`: lines before the author's first one. Undefined for a drawing that is none of a fault. */
export function faultIn(root: XmlElement, { added, source }: { added: number; source: string }): Fault | undefined {
  const texts = [...root.descendants()].filter(({ localName }) => localName === "text");
  if (texts.some(({ text }) => CRASH.test(text.trim())))
    return { message: "PlantUML failed on this diagram. It may use something that needs Java." };
  if (texts[0]?.text.trim() === UNSUPPORTED) return { message: unsupported(source) };
  const isGreen = texts[0]?.attributes.get("fill") === GREEN;
  const [, number] = texts.map(({ text }) => PLACE.exec(text.trim())).find((found) => found !== null) ?? [];
  if (!isGreen || number === undefined) return undefined;
  const told = texts
    .filter(({ attributes }) => attributes.get("fill") === RED)
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join(" ");
  const line = Number(number) - added;
  const place = line >= 1 ? { line } : {};
  const [, missing] = /^cannot include (.+)$/i.exec(told) ?? [];
  if (missing !== undefined) return { message: missingInclude(missing), code: "include-missing", ...place };
  return { message: sentenceOf(told), ...place };
}

function missingInclude(name: string): string {
  const cause = /^<.+>$/.test(name)
    ? "The standard library comes from the folder that PLANTUML_STDLIB names."
    : "Files and addresses are not read. Put its text into the source.";
  return `The include ${name} is missing. ${cause}`;
}

function sentenceOf(told: string): string {
  const [, type] = /^Syntax Error\?\s*\(Assumed diagram type: (.+?)\)$/i.exec(told) ?? [];
  if (type !== undefined) return `Syntax error. PlantUML reads this as a diagram of the type "${type}".`;
  if (told === "" || /java\.|Exception/.test(told)) return "PlantUML cannot read this line.";
  const plain = told.replace(/\?$/, "").replace(/^./, (letter) => letter.toUpperCase());
  return /[.!]$/.test(plain) ? plain : `${plain}.`;
}

/** What the callback for faults is given: words of Java. */
export function faultOf(told: string, source: string): Fault {
  if (/Unsupported diagram type/.test(told)) return { message: unsupported(source) };
  return { message: "PlantUML failed on this diagram. It may use something that needs Java." };
}

function unsupported(source: string): string {
  const [, type = ""] = /^\s*@start(\w+)/m.exec(source) ?? [];
  return `PlantUML draws no diagram of the type "${type}" without Java.`;
}

/** What is not drawn, and would be missing without a word. */
export function warningsFor(source: string): string[] {
  const formula = /<(math|latex)>/i.exec(source);
  return formula === null ? [] : [`Formulas (<${formula[1]}>) are not drawn: PlantUML draws them with Java alone.`];
}
