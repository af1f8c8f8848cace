// The diagrams in a Markdown file: fenced blocks whose language is one that we draw, also in lists and quotes.

import { entryOf, FORMATS, type Format } from "../api/formats.ts";

export interface DiagramBlock {
  readonly format: Format;
  readonly source: string;
  /** The line of the file on which the source begins, counted from 1. */
  readonly line: number;
  /** How many columns the block stands to the right. */
  readonly indent: number;
  /** What stands before the fence: spaces, a list's mark, a quote's sign. */
  readonly prefix: string;
  /** Lines of the file, counted from 0: that of the opening fence, and the one after the closing fence. */
  readonly from: number;
  readonly to: number;
}

const LANGUAGES: ReadonlyMap<string, Format> = new Map(
  FORMATS.flatMap((format) => {
    const {
      krokiTypes,
      endings,
      fences = [...krokiTypes, ...endings.map((ending) => ending.slice(1))],
    } = entryOf(format);
    return [format, ...fences].map((name) => [name, format] as const);
  }),
);

/** The format that a fence's language names, in any case of letters. */
export function languageFormat(language: string): Format | undefined {
  return LANGUAGES.get(language.toLowerCase());
}

const OPEN = /^((?:[ \t]|>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*)(`{3,}|~{3,})[ \t]*\{?\.?([\w-]*)([^`]*)$/;
/** So far a line may be moved to the right without being in a block that is code by its indentation. */
const MOST_SPACES = 3;

export function diagramBlocks(text: string): DiagramBlock[] {
  const lines = text.split(/\r\n?|\n/);
  const blocks: DiagramBlock[] = [];
  // Where the contents of the innermost list stand, which lets its fences stand further right.
  let listIndent = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, marks] = /^((?:[ \t]|>)*(?:[-*+]|\d{1,9}[.)])[ \t]+)/.exec(line) ?? [];
    const own = line.length - line.trimStart().length;
    if (marks !== undefined) listIndent = widthOf(marks);
    else if (line.trim() !== "" && own === 0) listIndent = 0;
    const [, prefix, fence, language = ""] = OPEN.exec(line) ?? [];
    if (prefix === undefined || fence === undefined) continue;
    if (widthOf(/^[ \t]*/.exec(prefix)?.[0] ?? "") > listIndent + MOST_SPACES) continue;
    const indent = widthOf(prefix);
    const close = closingLine(lines, at + 1, fence);
    const format = languageFormat(language);
    if (format !== undefined) {
      const inside = lines.slice(at + 1, close).map((each) => withoutPrefix(each, prefix, indent));
      if (inside.join("").trim() !== "")
        blocks.push({
          format,
          source: inside.join("\n"),
          line: at + 2,
          indent,
          prefix,
          from: at,
          to: Math.min(close + 1, lines.length),
        });
    }
    at = close;
  }
  return blocks;
}

/** The file with pictures where blocks were; a block without one stays. */
export function withPictures(text: string, pictures: ReadonlyMap<DiagramBlock, string>): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r\n?|\n/);
  for (const [block, address] of [...pictures].sort(([a], [b]) => b.from - a.from))
    lines.splice(block.from, block.to - block.from, `${block.prefix}![${titleOf(block)}](${address})`);
  return lines.join(end);
}

/** What a reader hears who does not see the picture. */
function titleOf({ format, source }: DiagramBlock): string {
  const title =
    format === "mermaid" ? /^\s*(?:\w+\s+)?(?:accTitle\s*:|title\b\s*:?)\s*(.+)$/m.exec(source)?.[1] : undefined;
  return (title ?? "diagram")
    .trim()
    .slice(0, 200)
    .replace(/[[\]\\]/g, "");
}

/** A fence that is never closed reaches to the end of the file. */
function closingLine(lines: readonly string[], from: number, fence: string): number {
  const sign = fence.charAt(0);
  for (let at = from; at < lines.length; at++) {
    const plain = (lines[at] ?? "").replace(/^(?:[ \t]|>)*/, "").trimEnd();
    if (plain.length >= fence.length && plain === sign.repeat(plain.length)) return at;
  }
  return lines.length;
}

/** A line of a block without the quote's signs and the spaces that its fence has before it. */
function withoutPrefix(line: string, prefix: string, indent: number): string {
  const quotes = prefix.split(">").length - 1;
  let rest = line;
  for (let quote = 0; quote < quotes; quote++) rest = rest.replace(/^[ \t]*>/, "");
  const most = quotes > 0 ? indent - (prefix.lastIndexOf(">") + 1) : indent;
  let removed = 0;
  while (removed < most && /^[ \t]/.test(rest)) {
    removed += rest.startsWith("\t") ? 4 : 1;
    rest = rest.slice(1);
  }
  return rest;
}

function widthOf(text: string): number {
  return text.replaceAll("\t", "    ").length;
}
