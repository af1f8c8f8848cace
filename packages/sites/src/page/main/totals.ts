import { around, type Block, type TextContainer } from "../block.ts";

/** What all the text inside an element comes to. */
export interface Totals {
  chars: number;
  linkChars: number;
  /** Characters of running text: long blocks that are not made of links. */
  prose: number;
  commas: number;
  blocks: number;
}

export const NOTHING: Readonly<Totals> = { chars: 0, linkChars: 0, prose: 0, commas: 0, blocks: 0 };

/** A block of at least this length can be a paragraph. */
const LEAST_PARAGRAPH_CHARS = 25;
const MOST_LINKED = 0.5;

export function totalsOf(blocks: readonly Block[]): Map<TextContainer, Totals> {
  const totals = new Map<TextContainer, Totals>();
  for (const block of blocks) {
    const prose = isProse(block) ? block.text.length - block.linkChars : 0;
    const commas = commasIn(block.text);
    for (const box of around(block.box)) {
      const all = totals.get(box) ?? { ...NOTHING };
      all.chars += block.text.length;
      all.linkChars += block.linkChars;
      all.prose += prose;
      all.commas += commas;
      all.blocks++;
      totals.set(box, all);
    }
  }
  return totals;
}

export function isProse({ text, linkChars, level }: Block): boolean {
  return level === undefined && text.length >= LEAST_PARAGRAPH_CHARS && linkChars <= text.length * MOST_LINKED;
}

export function linkShare({ chars, linkChars }: Pick<Totals, "chars" | "linkChars">): number {
  return chars === 0 ? 0 : linkChars / chars;
}

/** Commas of any script: running text has them, menus do not. */
export function commasIn(text: string): number {
  return text.match(/[,;،、，；]/gu)?.length ?? 0;
}
