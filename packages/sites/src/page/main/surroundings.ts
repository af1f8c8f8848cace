import { around, type Block, type TextContainer } from "../block.ts";
import { namesArticle, namesSurroundings } from "./hints.ts";
import { NOTHING, type Totals, totalsOf } from "./totals.ts";

/** An element with more than this share of the running text holds the page, whatever its author calls it. */
const HOLDS_THE_PAGE = 0.6;
const LEAST_ARTICLE_CHARS = 200;

/** Tells whether an element, or one around it, belongs to the surroundings of the text. */
export function surroundingsOf(blocks: readonly Block[]): (box: TextContainer) => boolean {
  const totals = totalsOf(blocks);
  const whole = Math.max(0, ...[...totals.values()].map(({ prose }) => prose));
  const spared = aroundTheArticle(totals);
  const known = new Map<TextContainer, boolean>();
  return function isSurrounding(box): boolean {
    const verdict =
      known.get(box) ??
      ((!spared.has(box) && isPartAround(box, totals.get(box) ?? NOTHING, whole)) ||
        (box.parent !== undefined && isSurrounding(box.parent)));
    known.set(box, verdict);
    return verdict;
  };
}

/** The longest text that its author marks as the article, and all around it: a "rail" that holds it is a layout. */
function aroundTheArticle(totals: ReadonlyMap<TextContainer, Totals>): Set<TextContainer> {
  let best: TextContainer | undefined;
  let most = LEAST_ARTICLE_CHARS;
  for (const [box, { prose }] of totals) {
    if (prose > most && namesArticle(box.hint)) [best, most] = [box, prose];
  }
  return new Set(best === undefined ? [] : around(best));
}

function isPartAround({ name, hint }: TextContainer, { prose }: Totals, whole: number): boolean {
  if (/^(?:html|body|article|main)$/.test(name) || prose > whole * HOLDS_THE_PAGE) return false;
  return /^(?:nav|aside|footer|menu|dialog|form)$/.test(name) || namesSurroundings(hint);
}
