/** The word that is most like what was written; undefined where none is like it. */
export function nearest(written: string, words: readonly string[]): string | undefined {
  const short = written.toLowerCase().slice(0, 40);
  const [best] = words
    .map((word) => ({ word, steps: stepsBetween(short, word.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps);
  return best !== undefined && best.steps <= Math.max(1, Math.floor(best.word.length / 3)) ? best.word : undefined;
}

function stepsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [y, letter] of [...from].entries()) {
    const next = [y + 1];
    for (const [x, other] of [...to].entries())
      next.push(Math.min((row[x + 1] ?? 0) + 1, (next[x] ?? 0) + 1, (row[x] ?? 0) + (letter === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
