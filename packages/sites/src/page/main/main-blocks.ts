// The main text of a page, in two passes over its blocks. The first leaves out what stands around the text (menus, sharing,
// related pages, comments) and finds the element that holds most of the rest. The second drops from that element what is not
// running text. A page without one such element, a home page of many sections say, keeps all that the first pass left.

import type { Block } from "../block.ts";
import { isArticle } from "./article.ts";
import { disclosed } from "./collapsed.ts";
import { containersOf, isWithin } from "./containers.ts";
import { surroundingsOf } from "./surroundings.ts";
import { totalsOf } from "./totals.ts";
import { isAboutTheText, isLinkLine, isListOfLinks, withoutLoneHeadings } from "./trim.ts";

/** `sections`: the page is known to have many parts, such as a home page, and all of them are its text. */
export type Layout = "sections" | "unknown";

export function mainBlocks(blocks: readonly Block[], layout: Layout = "unknown"): Set<Block> {
  const seen = disclosed(blocks);
  const isSurrounding = surroundingsOf(seen);
  const usable = seen.filter((block) => !isSurrounding(block.box) && !isAboutTheText(block));
  const totals = totalsOf(usable);
  const containers = containersOf(usable, totals);
  if (containers.size === 0) return new Set(usable);
  const drop = isListOfLinks(containers, totals);
  const kept = usable.filter((block) => !drop(block.box) && !isLinkLine(block));
  const article = kept.filter(({ box }) => isWithin(box, containers));
  const isOne = layout === "unknown" && isArticle(article, usable, totals);
  return new Set(withoutLoneHeadings(isOne ? article : kept));
}
