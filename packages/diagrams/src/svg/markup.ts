// A forgiving reader of HTML and SVG fragments: never fails, knows the tags that close themselves, decodes what is common.

export type Markup =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "open";
      readonly name: string;
      readonly attributes: readonly Attribute[];
      readonly closed: boolean;
    }
  | { readonly type: "close"; readonly name: string };

export type Attribute = readonly [name: string, value: string];

const TAG = /<(\/?)([A-Za-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/g;
const ATTRIBUTE = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  laquo: "«",
  raquo: "»",
  larr: "←",
  rarr: "→",
  uarr: "↑",
  darr: "↓",
  harr: "↔",
  times: "×",
  deg: "°",
  middot: "·",
  bull: "•",
  infin: "∞",
  hearts: "♥",
  equals: "=",
  colon: ":",
  semi: ";",
  comma: ",",
  num: "#",
  lpar: "(",
  rpar: ")",
  lbrack: "[",
  rbrack: "]",
  lbrace: "{",
  rbrace: "}",
  quest: "?",
  excl: "!",
  percnt: "%",
  plus: "+",
  dollar: "$",
  euro: "€",
  pound: "£",
  sect: "§",
  para: "¶",
  frac12: "½",
  check: "✓",
  star: "☆",
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  lambda: "λ",
  mu: "μ",
  pi: "π",
  sigma: "σ",
  omega: "ω",
};

export function* readMarkup(text: string): Generator<Markup> {
  const clean = text.replace(/<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>/g, "");
  let from = 0;
  for (const found of clean.matchAll(TAG)) {
    if (found.index > from) yield { type: "text", text: decodeEntities(clean.slice(from, found.index)) };
    from = found.index + found[0].length;
    const [, slash, name = "", rest = ""] = found;
    if (slash === "/") yield { type: "close", name };
    else yield { type: "open", name, attributes: attributesOf(rest), closed: /\/\s*$/.test(rest) || VOID.test(name) };
  }
  if (from < clean.length) yield { type: "text", text: decodeEntities(clean.slice(from)) };
}

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,10}));/g, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] as string) : whole;
    const codePoint = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return isCharacter(codePoint) ? String.fromCodePoint(codePoint) : "\ufffd";
  });
}

export function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => (character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;"));
}

function attributesOf(text: string): Attribute[] {
  return [...text.matchAll(ATTRIBUTE)].map(([, name = "", double, single, bare]) => {
    return [name, decodeEntities(double ?? single ?? bare ?? "")] as const;
  });
}

function isCharacter(codePoint: number): boolean {
  return codePoint > 0 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
}
