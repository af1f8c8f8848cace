// How near a text is to the right one, as the article extraction benchmark (scrapinghub) computes it: runs of four words, each
// page weighs the same, and F1 is taken of the mean precision and the mean recall.

export interface Counts {
  both: number;
  extra: number;
  missing: number;
}

export function compareShingles(expected: string, found: string): Counts {
  const wanted = shinglesOf(expected);
  const given = shinglesOf(found);
  const counts: Counts = { both: 0, extra: 0, missing: 0 };
  for (const shingle of new Set([...wanted.keys(), ...given.keys()])) {
    const [inWanted, inGiven] = [wanted.get(shingle) ?? 0, given.get(shingle) ?? 0];
    counts.both += Math.min(inWanted, inGiven);
    counts.extra += Math.max(0, inGiven - inWanted);
    counts.missing += Math.max(0, inWanted - inGiven);
  }
  return counts;
}

const WORDS_PER_SHINGLE = 4;

function shinglesOf(text: string): Map<string, number> {
  const words = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const shingles = new Map<string, number>();
  for (let i = 0; i < Math.max(1, words.length - WORDS_PER_SHINGLE + 1); i++) {
    const shingle = words.slice(i, i + WORDS_PER_SHINGLE).join(" ");
    shingles.set(shingle, (shingles.get(shingle) ?? 0) + 1);
  }
  return shingles;
}

export function precision({ both, extra, missing }: Counts): number {
  return extra + missing === 0 || both + extra === 0 ? 1 : both / (both + extra);
}

export function recall({ both, extra, missing }: Counts): number {
  return extra + missing === 0 || both + missing === 0 ? 1 : both / (both + missing);
}

export function f1(precision: number, recall: number): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

/** Of a whole corpus, in percent. `F1 of means` is the benchmark's own; `mean F1` weighs a page that fails harder. */
export function summary(pages: readonly Counts[]): {
  "F1 of means": number;
  "mean F1": number;
  precision: number;
  recall: number;
} {
  const mean = (of: (page: Counts) => number) => (100 * pages.reduce((sum, page) => sum + of(page), 0)) / pages.length;
  const [p, r] = [mean(precision), mean(recall)];
  return {
    "F1 of means": f1(p, r),
    "mean F1": mean((page) => f1(precision(page), recall(page))),
    precision: p,
    recall: r,
  };
}
