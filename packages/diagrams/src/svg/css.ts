// A small, fast reader of CSS for measuring and for turning stylesheets into attributes: the engines' document asks it for
// every element. What it reads is never written into an SVG: the sanitiser has a parser of its own (css/).

export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

export interface StyleRule {
  readonly type: "style";
  readonly selectors: readonly string[];
  readonly declarations: readonly Declaration[];
}

export interface AtRule {
  readonly type: "at";
  /** Without the @, in lower case: `media`, `keyframes`, `font-face`. */
  readonly name: string;
  readonly prelude: string;
  /** The text between the braces; undefined where the rule ends in a semicolon. */
  readonly body: string | undefined;
}

export type StylesheetRule = StyleRule | AtRule;

export function parseStylesheet(text: string): StylesheetRule[] {
  const css = withoutComments(text);
  const rules: StylesheetRule[] = [];
  let at = 0;
  while (at < css.length) {
    const open = findOutside(css, at, "{;}");
    if (open === -1) break;
    const prelude = css.slice(at, open).trim();
    if (css[open] !== "{") {
      if (prelude.startsWith("@")) rules.push(atRule(prelude, undefined));
      at = open + 1;
      continue;
    }
    const close = closingBrace(css, open);
    const body = css.slice(open + 1, close);
    if (prelude.startsWith("@")) rules.push(atRule(prelude, body));
    else if (prelude !== "") {
      const selectors = splitOutside(prelude, ",").map((selector) => selector.trim());
      rules.push({ type: "style", selectors, declarations: parseDeclarations(body) });
    }
    at = close + 1;
  }
  return rules;
}

/** The text of a style attribute, or of a rule's braces. */
export function parseDeclarations(text: string): Declaration[] {
  const declarations: Declaration[] = [];
  const css = text.includes("/*") ? withoutComments(text) : text;
  for (const part of splitOutside(css, ";")) {
    const colon = part.indexOf(":");
    if (colon < 1) continue;
    const name = part.slice(0, colon).trim();
    const property = name.startsWith("--") ? name : name.toLowerCase();
    const raw = part.slice(colon + 1).trim();
    const bang = /!\s*important$/i.exec(raw);
    const value = bang === null ? raw : raw.slice(0, bang.index).trim();
    if (value !== "" && /^[-\w]+$/.test(property)) declarations.push({ property, value, important: bang !== null });
  }
  return declarations;
}

export function writeDeclarations(declarations: readonly Declaration[]): string {
  return declarations
    .map(({ property, value, important }) => `${property}:${value}${important ? "!important" : ""}`)
    .join(";");
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ").replace(/<!--|-->/g, " ");
}

function atRule(prelude: string, body: string | undefined): AtRule {
  const [, name = "", rest = ""] = /^@([-\w]*)([\s\S]*)$/.exec(prelude) ?? [];
  return { type: "at", name: name.toLowerCase(), prelude: rest.trim(), body };
}

/** Where the first of these characters stands that is in no string and no brackets. */
function findOutside(css: string, from: number, characters: string): number {
  let depth = 0;
  for (let at = from; at < css.length; at++) {
    const character = css[at] ?? "";
    if (character === "\\") at++;
    else if (character === '"' || character === "'") at = endOfString(css, at);
    else if (depth === 0 && characters.includes(character)) return at;
    else if (character === "(" || character === "[") depth++;
    else if ((character === ")" || character === "]") && depth > 0) depth--;
  }
  return -1;
}

/** Split at a character that stands in no string and no brackets. */
export function splitOutside(css: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const end = findOutside(css, from, separator);
    parts.push(end === -1 ? css.slice(from) : css.slice(from, end));
    if (end === -1) return parts;
    from = end + 1;
  }
}

function closingBrace(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at++) {
    const character = css[at];
    if (character === "\\") at++;
    else if (character === '"' || character === "'") at = endOfString(css, at);
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at;
  }
  return css.length;
}

function endOfString(css: string, start: number): number {
  for (let at = start + 1; at < css.length; at++) {
    if (css[at] === "\\") at++;
    else if (css[at] === css[start] || /[\n\r\f]/.test(css[at] ?? "")) return at;
  }
  return css.length;
}
