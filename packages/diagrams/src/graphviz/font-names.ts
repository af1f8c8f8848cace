// Graphviz knows the widths of three families by heart, and measures every other name and every list as Times. So each name in a
// source becomes one of the three, in its own weight and slant.

/** The source with measured families alone. Lines stay where they are. */
export function withMeasuredFonts(source: string): string {
  if (!/fontname|face/i.test(source)) return source;
  let written = "";
  let isFontName = false;
  let hasEquals = false;
  for (const { type, text } of tokensOf(source)) {
    if (type === "value" && isFontName && hasEquals) written += keepsLines(text, measuredFamily(unquoted(text)));
    else if (type === "html")
      written += text.replace(FACE, (_, before: string, list: string) => `${before}"${measuredFamily(list)}"`);
    else written += text;
    if (type === "blank") continue;
    hasEquals = type === "sign" && text === "=" && isFontName;
    if (!hasEquals) isFontName = type === "value" && unquoted(text).toLowerCase() === "fontname";
  }
  return written;
}

interface Token {
  /** `value`: a name or a string. `html`: a label between angle brackets. `blank`: white space or a comment. */
  readonly type: "value" | "html" | "blank" | "sign";
  readonly text: string;
}

const NAME = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/y;
const BLANK = /\s+|\/\/[^\n]*/y;
const STRING = /"(?:[^"\\]|\\[\s\S])*"?/y;

/** What is never closed reaches to the end, so every sign is looked at once. */
function* tokensOf(source: string): Generator<Token> {
  let at = 0;
  while (at < source.length) {
    const start = at;
    let type: Token["type"] = "sign";
    const skip = (pattern: RegExp) => {
      pattern.lastIndex = at;
      const [found = ""] = pattern.exec(source) ?? [];
      at += found.length;
      return found !== "";
    };
    const startsLine = at === 0 || source[at - 1] === "\n";
    if (source.startsWith("/*", at) || (startsLine && source[at] === "#")) {
      const end = source.startsWith("/*", at) ? "*/" : "\n";
      const close = source.indexOf(end, at + 1);
      at = close === -1 ? source.length : close + end.length;
      type = "blank";
    } else if (skip(BLANK)) type = "blank";
    else if (skip(NAME) || skip(STRING)) type = "value";
    else if (source[at] === "<") {
      at = endOfHtml(source, at);
      type = "html";
    } else at++;
    yield { type, text: source.slice(start, at) };
  }
}

function endOfHtml(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    if (source[at] === "<") depth++;
    else if (source[at] === ">" && --depth === 0) return at + 1;
  }
  return source.length;
}

const FACE = /(<font\b[^<>]{0,300}?\bface\s{0,20}=\s{0,20})"([^"]{0,300})"/gi;

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  return text.slice(1, -1).replace(/\\\r?\n/g, "");
}

function keepsLines(token: string, family: string): string {
  const name = `"${family}"`;
  const breaks = token.split("\n").length - 1;
  return breaks === 0 ? name : `${name}${"\n".repeat(breaks)}`;
}

const SANS = /^(?:arial|helvetica|arimo|liberation ?sans|sans|sans-serif|system-ui|ui-sans-serif|-apple-system)\b/i;
const SERIF =
  /^(?:times|tinos|liberation ?serif|serif|ui-serif|georgia|garamond|palatino|cambria|bookman|newcenturyschlbk)\b/i;
const MONO = /^(?:courier|cousine|consolas|menlo|monaco|monospace|ui-monospace|.*\bmono\b)/i;

/** The measured name for a list of families: of its first known one, or of the first that says what it is like. */
export function measuredFamily(list: string): string {
  const names = list
    .split(",")
    .map((name) => name.trim().replace(/^["']|["']$/g, ""))
    .filter((name) => name !== "");
  const [only = ""] = names;
  if (names.length === 1 && EXACT.test(only)) return only;
  const known = names.find((name) => SANS.test(name) || SERIF.test(name) || MONO.test(name)) ?? "";
  const kind = MONO.test(known) ? "mono" : SERIF.test(known) ? "serif" : "sans";
  const isBold = /\b(?:semi|demi|extra|ultra)?-?(?:bold|black|heavy)|(?<=[a-z])Bold/i.test(only);
  const isSlanted = /italic|oblique/i.test(only);
  return STYLES[kind][(isBold ? 1 : 0) + (isSlanted ? 2 : 0)] ?? only;
}

/** Names that Graphviz measures and writes rightly as they are, with Symbol, whose letters are other ones. */
const EXACT = /^(?:arial|helvetica|symbol|zapfdingbats|times|times-roman|courier)$/i;
// It measures "Helvetica-Bold" as Times, and has no bold widths at all. So bold and slanted fonts get the names of others that it
// knows: as wide as the regular ones, or as Arial's bold. Its drawing gets their true names afterwards (`withTrueFonts`).
const STYLES = {
  sans: ["Arial", "OpenSans", "Arimo", "Open Sans"],
  serif: ["Times-Roman", "Tinos", "Liberation Serif", "FreeSerif"],
  mono: ["Courier", "Cousine", "Liberation Mono", "FreeMono"],
} as const;
const WRITTEN = { sans: "Helvetica,sans-Serif", serif: "Times,serif", mono: "Courier,monospace" } as const;
const LOOKS = ["", ' font-weight="bold"', ' font-style="italic"', ' font-weight="bold" font-style="italic"'] as const;

const TRUE_FONTS: ReadonlyMap<string, { readonly family: string; readonly look: string }> = new Map(
  (["sans", "serif", "mono"] as const).flatMap((kind) =>
    STYLES[kind].flatMap((name, at) => (at === 0 ? [] : [[name, { family: WRITTEN[kind], look: LOOKS[at] ?? "" }]])),
  ),
);

/** Graphviz's SVG with the fonts that its names stand for. */
export function withTrueFonts(svg: string): string {
  return svg.replace(/<text\b[^>]*>/g, (tag) =>
    tag.replace(/ font-family="([^"]*)"/, (whole, name: string) => {
      const font = TRUE_FONTS.get(name);
      if (font === undefined) return whole;
      // A label's own <B> or <I> is there already.
      const look = font.look.replace(/ (font-\w+)="\w+"/g, (part, property: string) =>
        tag.includes(` ${property}=`) ? "" : part,
      );
      return ` font-family="${font.family}"${look}`;
    }),
  );
}
