// Graphviz knows the widths of three families by heart, and measures every other name and every list as Times. So each name in a
// source becomes one of the three, in its own weight and slant.

/** The source with measured families alone. Lines stay where they are. */
export function withMeasuredFonts(source: string): string {
  if (!/fontname|face/i.test(source)) return source;
  let isFontName = false;
  return source.replace(
    TOKEN,
    (token, html: string | undefined, quoted: string | undefined, name: string | undefined) => {
      if (html !== undefined) {
        isFontName = false;
        return html.replace(FACE, (_, before: string, list: string) => `${before}"${measuredFamily(list)}"`);
      }
      const value = quoted === undefined ? name : unquoted(quoted);
      if (value === undefined) {
        if (token !== "=" && !/^[\s/#]/.test(token)) isFontName = false;
        return token;
      }
      if (isFontName) {
        isFontName = false;
        return keepsLines(token, measuredFamily(value));
      }
      isFontName = value.toLowerCase() === "fontname";
      return token;
    },
  );
}

/** Comments, labels as HTML with their nested tags, strings, names, and single signs: what a `fontname` must not be looked for in. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<=^|\n)#[^\n]*|(<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>)|("(?:[^"\\]|\\[\s\S])*")|([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)|\s+|[\s\S]/g;
const FACE = /(<font\b[^<>]*?\bface\s*=\s*)"([^"]*)"/gi;

function unquoted(text: string): string {
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
const EXACT =
  /^(?:arial|helvetica|symbol|zapfdingbats|times|times-roman|courier|(?:helvetica|courier)-(?:bold|oblique|boldoblique)|times-(?:bold|italic|bolditalic))$/i;
const STYLES = {
  sans: ["Arial", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"],
  serif: ["Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"],
  mono: ["Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"],
} as const;
