import { around, type Block, type TextContainer } from "../block.ts";
import { namesArticle } from "./hints.ts";
import { isProse, type Totals } from "./totals.ts";

/** An element with this share of the running text is what the page is about; a long text needs less. */
const SURE_SHARE = 0.75;
const LEAST_LONG_SHARE = 0.5;
const LONG_TEXT_CHARS = 1_000;
const LEAST_MARKED_SHARE = 0.15;
/** So many long paragraphs in one element make an article; sections of a home page have one to three. */
const ARTICLE_PARAGRAPHS = 5;
const LONG_PARAGRAPH_CHARS = 80;

/** Whether what was found is the article that the page is about, rather than one of its many parts. */
export function isArticle(
  found: readonly Block[],
  usable: readonly Block[],
  totals: ReadonlyMap<TextContainer, Totals>,
): boolean {
  const share = proseOf(found) / Math.max(1, proseOf(usable));
  if (share >= SURE_SHARE || hasManyParagraphs(found)) return true;
  if (share >= LEAST_LONG_SHARE && proseOf(found) >= LONG_TEXT_CHARS) return true;
  return share >= LEAST_MARKED_SHARE && isMarkedAlone(found, totals);
}

function hasManyParagraphs(blocks: readonly Block[]): boolean {
  const counts = new Map<TextContainer | undefined, number>();
  for (const { box, text } of blocks) {
    if (box.name !== "p" || text.length < LONG_PARAGRAPH_CHARS) continue;
    counts.set(box.parent, (counts.get(box.parent) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values()) >= ARTICLE_PARAGRAPHS;
}

/** Its author marks it as an article, and nothing else of that size. */
function isMarkedAlone(found: readonly Block[], totals: ReadonlyMap<TextContainer, Totals>): boolean {
  const inside = new Set(found.flatMap(({ box }) => [...around(box)]));
  let isMarked = false;
  for (const [box, { prose }] of totals) {
    if (box.name !== "article" && !namesArticle(box.hint)) continue;
    if (inside.has(box)) isMarked = true;
    else if (prose > proseOf(found) / 3) return false;
  }
  return isMarked;
}

function proseOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + (isProse(block) ? block.text.length - block.linkChars : 0), 0);
}
