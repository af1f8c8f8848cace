import { nearest } from "./nearest.ts";
import type { FaultyLine } from "./teach.ts";

/** The likely cause of a fault in Mermaid, by what stands there; undefined where nothing is likely. */
export function mermaidAdvice(fault: FaultyLine): string | undefined {
  const kind = kindOf(fault.source);
  const rules = [ofAnyKind, ...(RULES.find(([pattern]) => pattern.test(kind))?.[1] ?? [])];
  for (const rule of rules) {
    const advice = rule(fault);
    if (advice !== undefined) return advice;
  }
  return undefined;
}

type Rule = (fault: FaultyLine) => string | undefined;

const KINDS =
  "flowchart graph sequenceDiagram classDiagram stateDiagram stateDiagram-v2 erDiagram gantt pie mindmap timeline journey gitGraph quadrantChart requirementDiagram C4Context C4Container C4Component C4Dynamic C4Deployment sankey-beta xychart-beta block-beta packet-beta kanban architecture-beta radar-beta treemap-beta".split(
    " ",
  );

function kindOf(source: string): string {
  const body = source.replace(/^\s*---\s*\n[\s\S]*?\n\s*---\s*(?:\n|$)/, "").replace(/%%\{[\s\S]*?\}%%/g, "");
  const first = body.split("\n").find((line) => line.trim() !== "" && !line.trim().startsWith("%%")) ?? "";
  return first.trim().split(/[\s:]+/)[0] ?? "";
}

function ofAnyKind({ message, source, text }: FaultyLine): string | undefined {
  if (message.startsWith("Unknown diagram type")) {
    const near = nearest(kindOf(source), KINDS);
    return near === undefined ? undefined : `Did you mean ${near}?`;
  }
  if (/YAML/.test(message)) return "Indent front matter with spaces, and put values that hold : or # in quotes.";
  if (/[\u201c\u201d\u201e]/.test(text)) return 'Write straight quotes ("), not typographic ones.';
  return undefined;
}

const flowchart: readonly Rule[] = [
  ({ text }) => ((text.match(/"/g)?.length ?? 0) % 2 === 1 ? 'A quote (") in this line is not closed.' : undefined),
  quotedLabel,
  ({ text, message }) =>
    /Unexpected "end"/i.test(message) || /(?:--|==|\.-)[->]?\s*end\b/.test(text)
      ? 'The word "end" closes a subgraph. Write End, or give the node another id: last["end"].'
      : undefined,
  ({ text }) => (/[^-.=~<]->[^>-]|[^-.=~<]->$/.test(text) ? "An arrow has two dashes: A --> B." : undefined),
  ({ message, text }) =>
    /not closed/.test(message)
      ? `Close the bracket, or put the label in quotes: ${withQuotes(text) ?? 'A["text"]'}.`
      : undefined,
  ({ source, message }) =>
    count(source, /^\s*subgraph\b/gm) > count(source, /^\s*end\s*$/gm) && /missing here/.test(message)
      ? "Each subgraph needs a line with end."
      : undefined,
];

const RULES: readonly (readonly [RegExp, readonly Rule[]])[] = [
  [/^(?:flowchart|graph)/, flowchart],
  [
    /^sequence/,
    [
      ({ text, message }) =>
        /[->]{2,}|-[x)]/.test(text) && !text.includes(":") && /colon/.test(message)
          ? "Write the message after a colon: A->>B: text."
          : undefined,
      ({ text }) => (/:.*;/.test(text) ? "A semicolon ends a message. Write #59; for one in a label." : undefined),
      ({ message, source }) =>
        /Unexpected "end"/.test(message)
          ? "This end has no loop, alt, opt, par, critical, break, rect or box before it."
          : count(source, /^\s*(?:loop|alt|opt|par|critical|break|rect|box)\b/gm) > count(source, /^\s*end\s*$/gm)
            ? "Each loop, alt, opt, par, critical, break, rect and box needs a line with end."
            : undefined,
    ],
  ],
  [
    /^class/,
    [
      ({ source }) =>
        count(source, /\{/g) > count(source, /\}/g) ? "A class or namespace is not closed with }." : undefined,
      ({ text }) =>
        /</.test(text) && !/<\||<--|<\.\.|<</.test(text) ? "Write generic types between tildes: List~int~." : undefined,
    ],
  ],
  [
    /^state/,
    [
      ({ text }) => (/[^-]->/.test(text) ? "A transition has two dashes: a --> b." : undefined),
      ({ source }) =>
        count(source, /\{/g) > count(source, /\}/g) ? "A composite state is not closed with }." : undefined,
    ],
  ],
  [
    /^er/,
    [
      ({ text }) =>
        /[|o}{]--|--[|o{]|\.\./.test(text) && !text.includes(":")
          ? "A relationship needs a label: A ||--o{ B : has."
          : undefined,
      ({ text }) => {
        const [, label] = /:\s*([^"]*\s[^"]*?)\s*$/.exec(text) ?? [];
        return label === undefined ? undefined : `Put a label of several words in quotes: "${label}".`;
      },
    ],
  ],
  [/^pie/, [({ text }) => (text.includes('"') ? undefined : 'Put each name in quotes: "name" : 42.')]],
  [
    /^mindmap/,
    [({ message }) => (/only one root/.test(message) ? "Indent every other node deeper than the first." : undefined)],
  ],
  [
    /^gantt/,
    [({ message }) => (/date/i.test(message) ? "Write dates as dateFormat says, YYYY-MM-DD by default." : undefined)],
  ],
];

const BRACKETS: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}", "|": "|" };

/** For the commonest mistake of all: `A[foo (bar)]`. */
function quotedLabel({ text, column, message }: FaultyLine): string | undefined {
  const isInLabel = /^Unexpected "[[({<>"@/\\)\]}]|^Unexpected "\w/.test(message) && /expected \]/.test(message);
  if (!isInLabel && !/not closed/.test(message)) return undefined;
  const whole = withQuotes(text, column);
  return whole === undefined ? 'Put the label in quotes: A["text"].' : `Put the label in quotes: ${whole}.`;
}

/** The node or edge label around the column, quoted. */
function withQuotes(text: string, column = text.length): string | undefined {
  const before = text.slice(0, column - 1);
  const starts = [...before.matchAll(/(?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?(\[|\(|\{)|(?:-->|---|-\.->|==>)\s*(\|)/gu)];
  const start = starts.find(
    (found) => !isClosed(text.slice(found.index + found[0].length - 1), column - found.index - found[0].length + 1),
  );
  if (start === undefined) return undefined;
  const open = start[1] ?? start[2] ?? "";
  const from = start.index + start[0].length;
  const close = BRACKETS[open] ?? "]";
  const rest = text.slice(from);
  const arrow = rest.search(/\s*(?:-->|---|-\.->|==>|&)/);
  const end = open === "|" ? rest.indexOf("|") : (arrow === -1 ? rest : rest.slice(0, arrow)).lastIndexOf(close);
  if (end === -1) return undefined;
  const label = rest.slice(0, end).replace(/^"|"$/g, "").replaceAll('"', "#quot;").trim();
  const name = (start[0].match(/^[\p{L}\p{N}_-]+(?=[[({])/u) ?? [""])[0];
  return label === "" || label.length > 80 ? undefined : `${open === "|" ? "" : name}${open}"${label}"${close}`;
}

/** Whether the bracket at the start is closed before the place. */
function isClosed(text: string, place: number): boolean {
  const open = text[0] ?? "";
  const close = text.indexOf(BRACKETS[open] ?? "", 1);
  return close !== -1 && close < place - 1;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
