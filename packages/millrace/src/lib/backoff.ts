/** Exponential backoff with full jitter: anywhere between nothing and `baseMs` doubled per earlier attempt, up to `maxMs`. */
export function backoffMs(attempt: number, range: { baseMs: number; maxMs: number }, random: () => number): number {
  const ceiling = Math.min(range.maxMs, range.baseMs * 2 ** Math.min(attempt - 1, 40));
  return Math.round(random() * ceiling);
}
