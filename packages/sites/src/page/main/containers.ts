import { around, type Block, type TextContainer } from "../block.ts";
import { namesContent, namesSurroundings } from "./hints.ts";
import { commasIn, isProse, linkShare, NOTHING, type Totals } from "./totals.ts";

type AllTotals = ReadonlyMap<TextContainer, Totals>;
type Scores = ReadonlyMap<TextContainer, number>;

/** Sections of a chapter lie this deep in each other at most. */
const MOST_CLIMBS = 6;

/** The element that holds the text, with those beside it that go on with the text. Empty: nothing on the page reads like text. */
export function containersOf(blocks: readonly Block[], totals: AllTotals): Set<TextContainer> {
  const scores = scoresOf(blocks, totals);
  const best = bestOf(scores);
  if (best === undefined) return new Set();
  const least = Math.max(10, best.score * 0.2);
  let top = sharedAncestor(best.box, scores, best.score);
  const kept = new Set([top]);
  for (let climbs = 0; climbs < MOST_CLIMBS; climbs++) {
    top = outermost(top, totals);
    const parent: TextContainer | undefined = top.parent;
    if (parent === undefined) break;
    let isOneOfMany = false;
    for (const child of childrenOf(parent, blocks)) {
      const total = totals.get(child) ?? NOTHING;
      const alike = child !== top && isAlike(child, top);
      if ((scores.get(child) ?? 0) + (alike ? least : 0) >= least) {
        kept.add(child);
        isOneOfMany ||= alike && total.prose > total.chars * 0.6;
      } else if (child.name === "p" && readsOn(total)) kept.add(child);
    }
    // A section among sections: the text goes on in its siblings, so what holds them all is the container.
    if (!isOneOfMany || parent.name === "body") break;
    top = parent;
    kept.add(top);
  }
  return kept;
}

export function isWithin(box: TextContainer, containers: ReadonlySet<TextContainer>): boolean {
  for (const each of around(box)) if (containers.has(each)) return true;
  return false;
}

/** Running text counts for the elements around it, the nearest most. Links count against them. */
function scoresOf(blocks: readonly Block[], totals: AllTotals): Scores {
  const scores = new Map<TextContainer, number>();
  for (const block of blocks) {
    if (!isProse(block)) continue;
    const score = 1 + commasIn(block.text) + Math.min(3, block.text.length / 100);
    const { box } = block;
    let level = 0;
    for (const each of around(/^(?:p|li)$/.test(box.name) ? (box.parent ?? box) : box)) {
      if (level === SHARES.length) break;
      scores.set(each, (scores.get(each) ?? weightOf(each)) + score * (SHARES[level] ?? 0));
      level++;
    }
  }
  for (const [box, score] of scores) scores.set(box, score * (1 - linkShare(totals.get(box) ?? NOTHING)));
  return scores;
}

const SHARES = [1, 1 / 2, 1 / 6, 1 / 9, 1 / 12];

const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ article: 20, main: 10, div: 5, section: 3, pre: 3, td: 3, blockquote: 3 },
  ...{ form: -3, ol: -3, ul: -3, dl: -3, li: -3, address: -3, th: -5, h1: -5, h2: -5, h3: -5 },
};

function weightOf({ name, hint }: TextContainer): number {
  return (WEIGHTS[name] ?? 0) + hintWeight(hint);
}

export function hintWeight(hint: string): number {
  return (namesContent(hint) ? 25 : 0) - (namesSurroundings(hint) ? 25 : 0);
}

function bestOf(scores: Scores): { box: TextContainer; score: number } | undefined {
  let best: { box: TextContainer; score: number } | undefined;
  for (const [box, score] of scores) if (best === undefined || score > best.score) best = { box, score };
  return best;
}

/** Where several elements are nearly as good, what holds them; else the nearest ancestor that is better still. */
function sharedAncestor(box: TextContainer, scores: Scores, score: number): TextContainer {
  const good = [...scores].filter(([, each]) => each >= score * 0.75).sort((a, b) => b[1] - a[1]);
  const holders = good.slice(0, 5).map(([each]) => new Set(around(each)));
  let top = box;
  if (holders.length >= 3) {
    for (const each of around(box)) {
      if (each !== box && holders.filter((set) => set.has(each)).length >= 3) {
        top = each;
        break;
      }
    }
  }
  let last = scores.get(top) ?? 0;
  for (let parent = top.parent; parent !== undefined && parent.name !== "body"; parent = parent.parent) {
    const next = scores.get(parent) ?? 0;
    if (next < score / 3) break;
    if (next > last) return parent;
    last = next;
  }
  return top;
}

/** An element that holds nothing but this one is this one. */
function outermost(box: TextContainer, totals: AllTotals): TextContainer {
  const { blocks } = totals.get(box) ?? NOTHING;
  let top = box;
  while (top.parent !== undefined && !/^(?:body|html)$/.test(top.parent.name)) {
    if ((totals.get(top.parent) ?? NOTHING).blocks !== blocks) break;
    top = top.parent;
  }
  return top;
}

function childrenOf(parent: TextContainer, blocks: readonly Block[]): Set<TextContainer> {
  const children = new Set<TextContainer>();
  for (const { box } of blocks) {
    for (const each of around(box)) {
      if (each.parent === parent) children.add(each);
    }
  }
  return children;
}

/** Of the same name and first class, whatever number it carries. */
function isAlike(a: TextContainer, b: TextContainer): boolean {
  const shape = ({ hint }: TextContainer) => (hint.split(" ", 1)[0] ?? "").replaceAll(/\d+/g, "");
  return a.name === b.name && shape(a) !== "" && shape(a) === shape(b);
}

/** A paragraph beside the container that reads like a part of it. */
function readsOn(total: Totals): boolean {
  return total.chars > 80 ? linkShare(total) < 0.25 : total.chars > 0 && total.linkChars === 0;
}
