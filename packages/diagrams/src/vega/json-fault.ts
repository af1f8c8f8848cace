import type { Fault } from "../engine.ts";

/** The runtimes say in different words where JSON ends to be JSON, and one of them not at all: so it is looked for here. */
export function jsonFault(source: string): Fault {
  const at = firstFault(source);
  const before = source.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  const found = source.slice(at, at + 1);
  const message =
    found === ""
      ? "This is not JSON: it ends too early. A bracket or a quote is not closed."
      : `This is not JSON: unexpected ${JSON.stringify(found)}.`;
  return { message, line, column };
}

const VALUE =
  /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;
const BLANK = /[ \t\n\r]*/y;

/** Where the first character is that no JSON has there; the length of the text where it ends too early. */
function firstFault(source: string): number {
  const open: ("{" | "[")[] = [];
  let at = 0;
  // Which signs may come: a value, a key, what stands behind one, or a closing bracket.
  let wants: "value" | "first-value" | "key" | "first-key" | "colon" | "end" = "value";
  for (;;) {
    BLANK.lastIndex = at;
    BLANK.exec(source);
    at = BLANK.lastIndex;
    const sign = source[at];
    if (sign === undefined) return at;
    const around = open.at(-1);
    if (wants === "colon") {
      if (sign !== ":") return at;
      wants = "value";
      at++;
    } else if (wants === "end") {
      if (sign === "," && around !== undefined) wants = around === "{" ? "key" : "value";
      else if ((sign === "}" && around === "{") || (sign === "]" && around === "[")) open.pop();
      else return at;
      at++;
    } else if ((wants === "first-key" && sign === "}") || (wants === "first-value" && sign === "]")) {
      open.pop();
      wants = "end";
      at++;
    } else if ((wants === "value" || wants === "first-value") && (sign === "{" || sign === "[")) {
      open.push(sign);
      wants = sign === "{" ? "first-key" : "first-value";
      at++;
    } else {
      const isKey: boolean = wants === "key" || wants === "first-key";
      VALUE.lastIndex = at;
      const [value] = VALUE.exec(source) ?? [];
      if (value === undefined || (isKey && sign !== '"')) return at;
      wants = isKey ? "colon" : "end";
      at += value.length;
    }
  }
}
