/** Bounds grow by a fourth of an octave, from 0.1 ms to a little over an hour: a percentile is off by 9 % at most. */
const FIRST_MS = 0.1;
const PER_OCTAVE = 4;
const LAST = Math.ceil(Math.log2(3_600_000 / FIRST_MS) * PER_OCTAVE);
/** One more bucket, for what took longer. */
const BUCKETS = LAST + 2;

/** Three percentiles of a measured value. */
export interface Percentiles {
  /** Half of the values are at most this. */
  p50: number;
  /** 95 % of the values are at most this. */
  p95: number;
  /** 99 % of the values are at most this. */
  p99: number;
}

/**
 * Durations since the start, and those of a recent window. One event is one increment: the window is what was counted
 * since the turn before last, so it spans one to two turns.
 */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS);
  #atTurn = new Float64Array(BUCKETS);
  #atTurnBefore = new Float64Array(BUCKETS);
  #sumMs = 0;

  record(ms: number): void {
    const bucket = ms <= FIRST_MS ? 0 : Math.min(LAST + 1, Math.ceil(Math.log2(ms / FIRST_MS) * PER_OCTAVE));
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#sumMs += ms;
  }

  turn(): void {
    const oldest = this.#atTurnBefore;
    this.#atTurnBefore = this.#atTurn;
    this.#atTurn = oldest;
    this.#atTurn.set(this.#counts);
  }

  /** The percentiles of the window; 0 while it is empty. */
  percentiles(): Percentiles {
    const recent = this.#counts.map((count, i) => count - (this.#atTurnBefore[i] as number));
    const total = sum(recent);
    return {
      p50: quantile(recent, total, 0.5),
      p95: quantile(recent, total, 0.95),
      p99: quantile(recent, total, 0.99),
    };
  }

  /**
   * The counts since the start, in seconds, with a bound per octave. Each of `counts` includes everything up to its
   * bound.
   */
  cumulative(): { bounds: number[]; counts: number[]; count: number; sumSeconds: number } {
    const bounds: number[] = [];
    const counts: number[] = [];
    let count = 0;
    for (let i = 0; i < BUCKETS; i++) {
      count += this.#counts[i] as number;
      if (i % PER_OCTAVE > 0 || i > LAST) continue;
      bounds.push(Number((boundMs(i) / 1_000).toPrecision(6)));
      counts.push(count);
    }
    return { bounds, counts, count, sumSeconds: this.#sumMs / 1_000 };
  }
}

function quantile(counts: Float64Array, total: number, share: number): number {
  if (total === 0) return 0;
  const wanted = share * total;
  let passed = 0;
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] as number;
    if (count === 0 || passed + count < wanted) {
      passed += count;
      continue;
    }
    const lower = i === 0 ? 0 : boundMs(i - 1);
    return round(lower + ((boundMs(Math.min(i, LAST)) - lower) * (wanted - passed)) / count);
  }
  return round(boundMs(LAST));
}

function boundMs(bucket: number): number {
  return FIRST_MS * 2 ** (bucket / PER_OCTAVE);
}

function sum(counts: Float64Array): number {
  return counts.reduce((total, count) => total + count, 0);
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
