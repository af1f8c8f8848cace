// What Mermaid throws, as a sentence with a place: its four parsers each have their own way of saying where.

import type { Fault } from "../engine.ts";
import { lookedUp } from "./fault-places.ts";
import { MAX_CHARS } from "./options.ts";

interface ThrownValue {
  readonly message?: unknown;
  readonly name?: unknown;
  readonly reason?: unknown;
  readonly mark?: { readonly line?: number; readonly column?: number };
  readonly hash?: {
    readonly text?: unknown;
    readonly token?: unknown;
    readonly line?: number;
    readonly loc?: { readonly first_line?: number; readonly last_line?: number; readonly last_column?: number };
    readonly expected?: readonly string[];
  };
}

const TOKENS: Readonly<Record<string, string>> = {
  NEWLINE: "a new line",
  NL: "a new line",
  EOF: "the end",
  SPACE: "a space",
  SPACELINE: "an empty line",
  SEMI: ";",
  COLON: ":",
  STR: "a string in quotes",
  MD_STR: "a string in quotes",
  TXT: "text after a colon",
  TEXT: "text",
  NODE_STRING: "a name",
  UNICODE_TEXT: "a name",
  ALPHA: "a name",
  ACTOR: "a participant",
  ID: "a name",
  LINK: "an arrow",
  START_LINK: "an arrow",
  ARROW: "an arrow",
  SOLID_ARROW: "an arrow",
  SOLID_OPEN_ARROW: "an arrow",
  DOTTED_ARROW: "an arrow",
  SQS: "[",
  SQE: "]",
  PS: "(",
  PE: ")",
  DIAMOND_START: "{",
  DIAMOND_STOP: "}",
  STRUCT_START: "{",
  STRUCT_STOP: "}",
  PIPE: "|",
  TAGEND: ">",
  TAGSTART: "<",
  end: "end",
  1: "the end",
};
const SHOWN = 6;

export function faultOf(error: unknown, source: string): Fault {
  const thrown = (typeof error === "object" && error !== null ? error : { message: error }) as ThrownValue;
  const said = String(thrown.message ?? error).trim();
  return (
    fromFormula(thrown, said, source) ??
    fromYaml(thrown) ??
    fromJison(thrown, said, source) ??
    fromPlaceInText(said, source) ??
    lookedUp(said, source) ??
    unknownType(said, source) ?? { message: plain(said, source) }
  );
}

/** The TeX, and where it stands in the source. Mermaid has read each two backslashes as one by then. */
function fromFormula({ name, reason }: ThrownValue, message: string, source: string): Fault | undefined {
  if (name !== "FormulaError") return undefined;
  const plain = source.replaceAll("\\\\", "\\");
  const at = plain.indexOf(String(reason));
  return at === -1 ? { message } : { message, line: plain.slice(0, at).split("\n").length };
}

/** The front matter is YAML, and js-yaml counts from 0 after the first line of dashes. */
function fromYaml({ name, reason, mark }: ThrownValue): Fault | undefined {
  if (name !== "YAMLException") return undefined;
  const message = `The front matter is not valid YAML: ${String(reason ?? "unreadable")}.`;
  return mark?.line === undefined ? { message } : { message, line: mark.line + 2, column: (mark.column ?? 0) + 1 };
}

function fromJison({ hash }: ThrownValue, said: string, source: string): Fault | undefined {
  if (hash === undefined || typeof hash !== "object") return undefined;
  const [, saidLine] = /(?:Parse|Lexical) error on line (\d+)/.exec(said) ?? [];
  const parsed = /^(?:Parse|Lexical) error/.test(said);
  const cleanLine = saidLine === undefined ? hash.loc?.first_line : Number(saidLine);
  if (cleanLine === undefined) return undefined;
  const { line, indent, text } = sourceLine(source, cleanLine);
  const expected = words(hash.expected ?? []);
  const found = String(hash.text ?? "").trim();
  const isLexical = said.startsWith("Lexical error");
  // What Jison tells is where the token before ended.
  const from = hash.loc?.last_line === cleanLine ? (hash.loc.last_column ?? 0) : 0;
  const place = found === "" ? -1 : text.indexOf(found, from);
  const open = found === "" && !isLexical ? unclosedBracket(source) : undefined;
  if (open !== undefined)
    return { message: `The bracket "${open.bracket}" is not closed.`, line: open.line, column: open.column };
  const unread = isLexical ? unreadPart(said, text) : undefined;
  const column = isLexical ? unread?.column : place === -1 ? undefined : place + 1;
  const subject = found === "" ? "Something is missing here" : `Unexpected ${JSON.stringify(found.slice(0, 60))}`;
  const wish = expected === "" ? "" : `; expected ${expected}`;
  const message = !parsed ? sentence(said) : isLexical ? unreadable(unread?.text) : `${subject}${wish}.`;
  return {
    message,
    line,
    ...(column === undefined || !parsed ? {} : { column: column + (isLexical && unread?.isFromStart ? indent : 0) }),
  };
}

function unreadable(text: string | undefined): string {
  return text === undefined || text === ""
    ? "Mermaid cannot read this part."
    : `Mermaid cannot read ${JSON.stringify(text)}.`;
}

/** A bracket in a flowchart that the end of its line leaves open. Mermaid itself names the end of the text. */
function unclosedBracket(source: string): { line: number; column: number; bracket: string } | undefined {
  if (!/^(?:flowchart|graph)/.test(cleanedText(source))) return undefined;
  for (const [at, text] of source.split("\n").entries()) {
    const plain = text.replace(/"[^"]*"/g, (quoted) => " ".repeat(quoted.length)).replace(/^\s*%%.*/, "");
    if (plain.includes('"') || /^\s*(?:style|classDef|class|click|linkStyle|acc)/.test(plain)) continue;
    const open: { readonly bracket: string; readonly column: number }[] = [];
    for (const [index, sign] of [...plain].entries()) {
      if ("[({".includes(sign)) open.push({ bracket: sign, column: index + 1 });
      else if ("])}".includes(sign)) open.pop();
    }
    const [first] = open;
    if (first !== undefined && !plain.includes("@{")) return { line: at + 1, ...first };
  }
  return undefined;
}

/** Langium and chevrotain write the place into the message. */
function fromPlaceInText(said: string, source: string): Fault | undefined {
  const found = /(?:on|at) line:? (\d+|NaN|\?),? column:? (\d+|NaN|\?)/i.exec(said);
  if (found === null) return undefined;
  const [whole, lineText, columnText] = found;
  const choices = [...said.matchAll(/^\s*\d+\. \[(.*?)\]/gm)].map(([, choice = ""]) => choice).slice(0, SHOWN);
  const instead = /but found: '([^']*)'/.exec(said)?.[1] ?? "";
  const start = instead === "" ? "Something is missing here" : `Unexpected ${JSON.stringify(instead)}`;
  const rest =
    said
      .replace(/^Error parsing \w+ diagram:\s*/i, "")
      .replace(/^Parsing failed:\s*/i, "")
      .split(/\n| Parse error on line | Lexer error on line /)[0] ?? "";
  const cleaned = rest
    .replace(whole, "")
    .replace(/^(?:Lexer|Parse) error\s*:?\s*/i, "")
    .replace(/^Expecting: one of these possible Token sequences:$/, `${start}; expected one of ${choices.join(", ")}`)
    .replace(/Expecting token of type '?(\w+)'? but found `?\s*$/, "Something is missing here")
    .replace(/ at offset: \d+, skipped \d+ characters/, "")
    .replace(/->(.+?)<-/g, "$1")
    .replace(/\s*\[\d+,\d+\)\s*$/, "")
    .replace(/-->\s*(\S+?)\s*<--/g, "$1")
    .trim();
  const message = sentence(cleaned === "" ? "Mermaid cannot read this part" : cleaned);
  if (!/^\d/.test(lineText ?? "")) return { message: sentence(`The diagram ends too early. ${cleaned}`) };
  const { line, indent } = sourceLine(source, Number(lineText));
  return { message, line, ...(!/^\d/.test(columnText ?? "") ? {} : { column: Number(columnText) + indent }) };
}

function unknownType(said: string, source: string): Fault | undefined {
  if (!said.startsWith("No diagram type detected")) return undefined;
  const [first = ""] = cleanedText(source).trim().split("\n");
  const word = first.trim().split(/\s+/)[0] ?? "";
  if (word === "")
    return { message: "The diagram is empty. Start with its type, such as flowchart or sequenceDiagram." };
  const { line, indent } = sourceLine(source, 1);
  const message = `Unknown diagram type ${JSON.stringify(word.slice(0, 40))}. Start with a type such as flowchart, sequenceDiagram or classDiagram.`;
  return { message, line, column: indent + 1 };
}

function plain(said: string, source: string): string {
  if (/edges/i.test(said) && /limit|exceed|too many/i.test(said)) return "The diagram has more than 500 edges.";
  if (/Maximum call stack/i.test(said)) return "The diagram is nested too deeply to be laid out.";
  if (/^(?:Cannot (?:read|set)|.* is not (?:a function|iterable|defined|an object)|undefined is not)/.test(said)) {
    const kind = cleanedText(source).trim().split(/\s+/)[0] ?? "diagram";
    return `Mermaid failed on this ${kind.slice(0, 40)} and does not say where. Draw parts of it to find the cause.`;
  }
  return sentence(said);
}

export function tooLong(source: string): Fault | undefined {
  if (source.length <= MAX_CHARS) return undefined;
  return { message: `The diagram has ${source.length} characters; the limit is ${MAX_CHARS}.` };
}

/** Mermaid drops front matter, directives and comments before it counts lines; the author has not. */
function sourceLine(source: string, cleanLine: number): { line: number; indent: number; text: string } {
  const lines = source.replace(/\r\n?/g, "\n").split("\n");
  const clean = cleanedText(source).split("\n");
  let at = -1;
  for (const wanted of clean.slice(0, cleanLine)) {
    const found = lines.findIndex((line, index) => index > at && line.trim() === wanted.trim());
    at = found === -1 ? Math.min(at + 1, lines.length - 1) : found;
  }
  const shown = lines[Math.max(at, 0)] ?? "";
  // Of the first line, the spaces before it are gone as well.
  const indent = cleanLine === 1 ? shown.length - shown.trimStart().length : 0;
  return { line: Math.max(at, 0) + 1, indent, text: shown };
}

export function cleanedText(source: string): string {
  return source
    .replace(/\r\n?/g, "\n")
    .replace(/^\s*---\s*\n[\s\S]*?\n\s*---\s*?(?:\n|$)/, "")
    .replace(/%%\{[\s\S]*?\}%%\s*/g, "")
    .replace(/^\s*%%(?!\{)[^\n]+\n?/gm, "")
    .trimStart();
}

function words(expected: readonly string[]): string {
  const names = expected.map((name) => name.replace(/^'|'$/g, ""));
  const known = [...new Set(names.map((name) => TOKENS[name] ?? (/^[a-z]+$/.test(name) ? name : undefined)))];
  const shown = known.filter((word) => word !== undefined && !word.includes("_"));
  if (shown.length === 0) return "";
  if (shown.length > SHOWN) return `${shown.slice(0, SHOWN).join(", ")} or something else`;
  const [last, ...others] = shown.reverse();
  return others.length === 0 ? String(last) : `${others.reverse().join(", ")} or ${last}`;
}

const MOST_UNREAD = 40;

/** Jison shows the last 20 characters that it has read, what comes next, and a caret between them. */
function unreadPart(said: string, line: string): { text: string; column?: number; isFromStart: boolean } | undefined {
  const [, shown = "", marks] = /\n([^\n]*)\n(-*)\^/.exec(said) ?? [];
  if (marks === undefined) return undefined;
  const isFromStart = !shown.startsWith("...");
  const text = shown
    .slice(marks.length)
    .replace(/\.\.\.$/, "")
    .trim()
    .slice(0, MOST_UNREAD);
  if (isFromStart) return { text, column: marks.length + 1, isFromStart };
  // What was read may begin in the line before, and line ends are left out.
  for (let from = 3; from <= marks.length; from++) {
    const before = shown.slice(from, marks.length);
    const place = line.indexOf(before + text);
    if (place !== -1) return { text, column: place + before.length + 1, isFromStart };
  }
  return { text, isFromStart };
}

function sentence(text: string): string {
  const [first = ""] = text.trim().split("\n");
  const short = first.length > 300 ? `${first.slice(0, 300)}…` : first;
  const capital = short.charAt(0).toUpperCase() + short.slice(1);
  return /[.!?…]$/.test(short) ? capital : `${capital}.`;
}
