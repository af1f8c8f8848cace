// The words and signs of a grammar, in either notation of EBNF.

import { GrammarError } from "./grammar.ts";

export type Notation = "iso" | "w3c";

export interface Token {
  /** `set`: a class of characters, or one by its number. `special`: what ISO has between question marks. */
  readonly type: "name" | "string" | "number" | "set" | "special" | "sign" | "end";
  readonly text: string;
  readonly offset: number;
}

const BLANK = /\s+/y;
const NAME = /[\p{L}_][\p{L}\p{N}\p{M}_-]*/uy;
const ANGLED = /<[\p{L}_][^<>\n]{0,200}>/uy;
const NUMBER = /\d+/y;
const HEX = /#x[\da-fA-F]+/y;
const SIGNS = ["::=", "=", ",", ";", ".", "|", "/", "!", "(", ")", "[", "]", "{", "}", "*", "+", "?", "-"];

/** Of the notation whose sign for a definition comes first. */
export function notationOf(source: string): Notation {
  const bare = source.replace(/"[^"\n]*"|'[^'\n]*'/g, "").replace(/\(\*[\s\S]*?\*\)|\/\*[\s\S]*?\*\//g, "");
  const at = bare.indexOf("=");
  return at > 1 && bare.slice(at - 2, at) === "::" ? "w3c" : "iso";
}

export function tokensOf(source: string, notation: Notation): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  while (at < source.length) {
    const offset = at;
    if (take(BLANK) !== undefined) continue;
    const comment = notation === "iso" ? ["(*", "*)"] : ["/*", "*/"];
    if (source.startsWith(comment[0] as string, at)) {
      const end = source.indexOf(comment[1] as string, at + 2);
      if (end === -1) throw new GrammarError("This comment is not closed.", offset);
      at = end + 2;
      continue;
    }
    const sign = source[at];
    if (sign === '"' || sign === "'") {
      const end = source.indexOf(sign, at + 1);
      if (end === -1) throw new GrammarError(`A quote (${sign}) is not closed.`, offset);
      tokens.push({ type: "string", text: source.slice(at + 1, end), offset });
      at = end + 1;
      continue;
    }
    if (notation === "w3c" && sign === "[") {
      const set = setAt(source, at);
      at = set.end;
      if (set.isSet) tokens.push({ type: "set", text: source.slice(offset, at), offset });
      continue;
    }
    if (notation === "iso" && sign === "?") {
      const end = source.indexOf("?", at + 1);
      if (end === -1) throw new GrammarError("A special sequence is not closed: ? text ?.", offset);
      tokens.push({ type: "special", text: source.slice(at + 1, end).trim(), offset });
      at = end + 1;
      continue;
    }
    const name = take(NAME) ?? take(ANGLED);
    const number = name === undefined ? take(NUMBER) : undefined;
    const hex = name === undefined && number === undefined ? take(HEX) : undefined;
    if (name !== undefined) tokens.push({ type: "name", text: name.replace(/^<(.*)>$/, "$1"), offset });
    else if (number !== undefined) tokens.push({ type: "number", text: number, offset });
    else if (hex !== undefined) tokens.push({ type: "set", text: hex, offset });
    else {
      const text = SIGNS.find((each) => source.startsWith(each, at));
      if (text === undefined) throw new GrammarError(`Unexpected ${JSON.stringify(sign)}.`, offset);
      tokens.push({ type: "sign", text, offset });
      at += text.length;
    }
  }
  tokens.push({ type: "end", text: "", offset: source.length });
  return tokens;
}

/** In the W3C's notation brackets are a class of characters, the number of a rule, or a remark such as `[ wfc: … ]`. */
function setAt(source: string, at: number): { end: number; isSet: boolean } {
  const end = source.indexOf("]", at + (source[at + 1] === "]" || source.startsWith("[^]", at) ? 3 : 1));
  if (end === -1) throw new GrammarError("A class of characters is not closed: [a-z].", at);
  const text = source.slice(at + 1, end);
  const isRemark = /^\s*(?:wfc|vc|WFC|VC|ns|NSC|nsc)\s*:/.test(text);
  const isNumber =
    /^\d+[a-z]?$/.test(text) && /^\s*[\p{L}_][\p{L}\p{N}_-]*\s*::=/u.test(source.slice(end + 1, end + 200));
  return { end: end + 1, isSet: !isRemark && !isNumber };
}
