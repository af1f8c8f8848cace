/**
 * How an element is hidden. `collapsed` and `faded` text is shown by a script or an animation later, and is text. `unseen` text is
 * there for screen readers, or for machines alone.
 */
export type Concealment = "collapsed" | "faded" | "unseen";

const COLLAPSING: readonly RegExp[] = [
  /(?:^|;)\s*display\s*:\s*none/i,
  /(?:^|;)\s*content-visibility\s*:\s*hidden/i,
  /(?:^|;)\s*transform\s*:\s*scale[xy]?\(\s*0\s*\)/i,
  /(?:^|;)\s*(?:left|right|top|bottom|margin-left|margin-top)\s*:\s*-1\d\d(?:\.\d+)?(?:%|vw|vh)/i,
];
const FADING: readonly RegExp[] = [
  /(?:^|;)\s*visibility\s*:\s*(?:hidden|collapse)/i,
  /(?:^|;)\s*opacity\s*:\s*0+(?:\.0+)?\s*%?\s*(?:;|!|$)/i,
];
const UNSEEN: readonly RegExp[] = [
  /(?:^|;)\s*font-size\s*:\s*0+(?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)/i,
  /(?:^|;)\s*font-size\s*:\s*1px/i,
  /(?:^|;)\s*(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:\s*-(?:\d{4,}(?:\.\d+)?(?:px|em|rem)|[5-9]\d\d(?:\.\d+)?(?:px|em|rem)|1\d\d(?:\.\d+)?(?:em|rem))/i,
  /(?:^|;)\s*text-indent\s*:\s*-\d{3,}/i,
  /(?:^|;)\s*clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)/i,
  /(?:^|;)\s*clip-path\s*:\s*inset\(\s*(?:50|100)%/i,
  /(?:^|;)\s*color\s*:\s*transparent/i,
];

const MAX_STYLE_CHARS = 2_000;
const MAX_SHEET_CHARS = 200_000;

/** How an inline style, or the body of a rule, hides an element. */
export function concealmentOf(style: string): Concealment | undefined {
  return plainConcealment(withoutComments(style.slice(0, MAX_STYLE_CHARS)));
}

/** Runs of white space become one space: patterns with two optional runs in a row take quadratic time on a long one. */
function plainConcealment(style: string): Concealment | undefined {
  const text = style.replace(/\s+/g, " ");
  const says = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(text));
  if (says(UNSEEN) || isPoint(text) || sameColours(text)) return "unseen";
  if (says(COLLAPSING) || isFlat(text)) return "collapsed";
  return says(FADING) ? "faded" : undefined;
}

/** By two searches and not by a pattern, which would look for the end from every beginning. */
function withoutComments(css: string): string {
  let plain = "";
  for (let at = 0; ; ) {
    const start = css.indexOf("/*", at);
    if (start < 0) return plain + css.slice(at);
    plain += css.slice(at, start);
    const end = css.indexOf("*/", start + 2);
    if (end < 0) return plain;
    at = end + 2;
  }
}

const NO_HEIGHT = /(?:^|;)\s*(?:max-)?height\s*:\s*0(?:px|em|%)?\s*(?:;|!|$)/i;
const POINT = /(?:^|;)\s*(?:width|height)\s*:\s*1px\s*(?:;|!|$)/i;

/** A closed accordion. */
function isFlat(style: string): boolean {
  return /overflow(?:-y)?\s*:\s*hidden/i.test(style) && NO_HEIGHT.test(style);
}

/** One pixel: the usual way to hide text from all but screen readers. */
function isPoint(style: string): boolean {
  return /overflow\s*:\s*hidden/i.test(style) && POINT.test(style);
}

/** White on white. Only where one style sets both: what is inherited cannot be known without laying the page out. */
function sameColours(style: string): boolean {
  const colour = /(?:^|;)\s*color\s*:\s*([^;!]+)/i.exec(style)?.[1];
  const ground = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]+)/i.exec(style)?.[1];
  return colour !== undefined && ground !== undefined && plainColour(colour) === plainColour(ground);
}

const NAMED: Readonly<Record<string, string>> = { white: "#ffffff", black: "#000000" };

function plainColour(text: string): string {
  const word = text.trim().toLowerCase();
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(word);
  return short
    ? `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join("")}`
    : (NAMED[word] ?? word);
}

/** Classes and ids that a `<style>` of the page hides by a plain rule. Rules for some screens only do not count. */
export function hiddenNames(css: string): Map<string, Concealment> {
  const names = new Map<string, Concealment>();
  const plain = withoutComments(css.slice(0, MAX_SHEET_CHARS));
  let depth = 0;
  let start = 0;
  let selector = "";
  let conditional = 0;
  for (let i = 0; i < plain.length; i++) {
    const char = plain[i];
    if (char === "{") {
      selector = plain.slice(start, i).trim();
      if (selector.startsWith("@")) conditional = depth + 1;
      depth++;
      start = i + 1;
    } else if (char === "}") {
      const how =
        conditional > 0 ? undefined : plainConcealment(plain.slice(start, Math.min(i, start + MAX_STYLE_CHARS)));
      if (how !== undefined) addNames(names, selector, how);
      depth = Math.max(0, depth - 1);
      if (depth < conditional) conditional = 0;
      start = i + 1;
    }
  }
  return names;
}

function addNames(names: Map<string, Concealment>, selectors: string, how: Concealment): void {
  for (const selector of selectors.slice(0, 2_000).split(",")) {
    const name = /^(?:[a-z][\w-]*)?([.#][\w-]+)$/i.exec(selector.trim())?.[1];
    if (name !== undefined) names.set(name, how);
  }
}
