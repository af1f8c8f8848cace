import { around, type Block, type TextContainer } from "../block.ts";
import { hintWeight } from "./containers.ts";
import { namesCaption, namesMeta } from "./hints.ts";
import { linkShare, NOTHING, type Totals } from "./totals.ts";

const LONGEST_META_CHARS = 120;
const LONGEST_LINK_LINE_CHARS = 200;
/** Lists and tables with this many commas, or so much text beside their links, are running text. */
const PROSE_COMMAS = 10;
const PROSE_CHARS = 300;

/** Captions, and lines that say when, by whom and how often something was written or read. */
export function isAboutTheText({ box, text }: Block): boolean {
  for (const each of around(box)) if (each.name === "figcaption" || namesCaption(each.hint)) return true;
  return text.length < LONGEST_META_CHARS && (namesMeta(box.hint) || namesMeta(box.parent?.hint ?? ""));
}

/** "Read also: …", a paragraph that is one link. Lists of sources are part of the text. */
export function isLinkLine({ box, level, text, linkChars }: Block): boolean {
  if (level !== undefined || box.name === "li") return false;
  return text.length < LONGEST_LINK_LINE_CHARS && linkChars > text.length * 0.8;
}

/** Tells whether an element inside a container is mostly links. */
export function isListOfLinks(
  containers: ReadonlySet<TextContainer>,
  totals: ReadonlyMap<TextContainer, Totals>,
): (box: TextContainer) => boolean {
  const known = new Map<TextContainer, boolean>();
  return function drops(box): boolean {
    if (containers.has(box)) return false;
    const verdict =
      known.get(box) ??
      (isMostlyLinks(box, totals.get(box) ?? NOTHING) || (box.parent !== undefined && drops(box.parent)));
    known.set(box, verdict);
    return verdict;
  };
}

function isMostlyLinks({ name, hint }: TextContainer, total: Totals): boolean {
  if (!/^(?:div|section|ul|ol|dl|table|form|fieldset|header)$/.test(name) || total.commas >= PROSE_COMMAS) return false;
  const weight = hintWeight(hint);
  if (weight < 0) return true;
  const isLikelyText = weight > 0 || name === "ul" || name === "ol" || total.prose > PROSE_CHARS;
  return linkShare(total) > (isLikelyText ? 0.5 : 0.25);
}

/** A heading whose section has nothing left in it is left out too. */
export function withoutLoneHeadings(blocks: readonly Block[]): Block[] {
  const kept: Block[] = [];
  // From the end: the least level of the headings that follow with nothing of their own level between.
  let hasText = false;
  let pending = Number.POSITIVE_INFINITY;
  for (const block of [...blocks].reverse()) {
    if (block.level === undefined) {
      [hasText, pending] = [true, Number.POSITIVE_INFINITY];
      kept.push(block);
    } else if (hasText && block.level < pending) {
      pending = block.level;
      kept.push(block);
    }
  }
  return kept.reverse();
}
