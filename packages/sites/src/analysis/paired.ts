// Two runs of the same prompts, held against each other prompt by prompt: what makes a prompt easy or hard is the same in both, so
// it does not hide a change. Says also how large a change would have been noticed.

import type { PromptCount } from "./interval.ts";
import { student } from "./interval.ts";

export interface PromptPair {
  readonly before: PromptCount;
  readonly after: PromptCount;
}

export interface PairedChange {
  /** Share after minus share before, the mean over prompts. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** The smallest change that such a comparison notices in four of five cases. */
  readonly noticeable: number;
  readonly beyondChance: boolean;
}

/** The 80 % quantile of the normal distribution. */
const POWER = 0.8416;

export function pairedChange(pairs: readonly PromptPair[]): PairedChange | undefined {
  const both = pairs.filter(({ before, after }) => before.n > 0 && after.n > 0);
  const m = both.length;
  if (m < 2) return undefined;
  const differences = both.map(({ before, after }) => after.k / after.n - before.k / before.n);
  const mean = differences.reduce((sum, each) => sum + each, 0) / m;
  const spread = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (m - 1) / m;
  // Answers that happen to be all alike still vary. Without a floor, ten equal differences would be certain.
  const error = Math.sqrt(Math.max(spread, chanceVariance(both)));
  const quantile = student(m - 1);
  const [low, high] = [mean - quantile * error, mean + quantile * error];
  return {
    difference: round(mean),
    low: round(Math.max(-1, low)),
    high: round(Math.min(1, high)),
    noticeable: round(Math.min(1, (quantile + POWER) * error)),
    beyondChance: low > 0 || high < 0,
  };
}

/** Of the mean difference, if each answer was drawn again with the share that its prompt has in both runs. */
function chanceVariance(pairs: readonly PromptPair[]): number {
  const variances = pairs.map(({ before, after }) => {
    const share = (before.k + after.k + 0.5) / (before.n + after.n + 1);
    return share * (1 - share) * (1 / before.n + 1 / after.n);
  });
  return variances.reduce((sum, each) => sum + each, 0) / pairs.length ** 2;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
