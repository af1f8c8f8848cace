// Where in each lane the last claim ended. Claimed jobs leave dead entries in the index of ready jobs, and a claim from the beginning
// reads all of them: vacuum clears them within a minute, unless a long transaction of some client keeps them. So a claim may start
// at the mark. It then misses jobs that became ready before the mark (a retry, a higher priority, a commit that took longer than
// its neighbour's) until a claim reads from the beginning again. A claim starts at the marks
//   - while a stage is busy: for as long as the last look is recent (look.ts);
//   - after a claim from the beginning was slow: for 20 times as long as it took, at most a second;
//   - after a claim from the beginning wrote a bundle: for 200 ms, because every claim from there steps over all bundled jobs.

export interface Mark {
  tenant: number;
  priority: number;
  run_at: number;
  id: number;
}

interface StageMarks {
  marks: Map<number, Mark>;
  /** When a claim last read from the beginning, by the monotonic clock. */
  lookedAt: number;
  againAfterMs: number;
}

/** How long a claim takes on a loaded machine: this time, plus a time for each job. */
const QUICK_MS = 5;
const QUICK_MS_PER_JOB = 0.1;
const REST_TIMES = 20;
const LONGEST_REST_MS = 1_000;
const BUNDLED_REST_MS = 200;
/** Marks travel with every claim. With more tenants than this, few jobs of each were claimed. */
const MOST_MARKS = 1_000;

export class Marks {
  readonly #stages = new Map<number, StageMarks>();

  /** The marks of a stage, in the order of their tenants. */
  of(stage: number): Mark[] {
    return [...(this.#stages.get(stage)?.marks.values() ?? [])].sort((a, b) => a.tenant - b.tenant);
  }

  /** Moves the marks behind these jobs, which were claimed in this order. */
  advance(stage: number, claimed: readonly Mark[]): void {
    const { marks } = this.#stage(stage);
    for (const { tenant, priority, run_at, id } of claimed) {
      if (marks.size < MOST_MARKS || marks.has(tenant)) marks.set(tenant, { tenant, priority, run_at, id });
    }
  }

  /** Lets the next claim read from the beginning. */
  forget(stage: number): void {
    this.#stage(stage).marks.clear();
  }

  /** Notes that a claim has read from the beginning, and how long it took. */
  lookedThrough(stage: number, tookMs: number, { jobs, bundled }: { jobs: number; bundled: boolean }): void {
    const known = this.#stage(stage);
    const slow = tookMs > QUICK_MS + jobs * QUICK_MS_PER_JOB;
    known.lookedAt = performance.now();
    known.againAfterMs = Math.max(
      slow ? Math.min(LONGEST_REST_MS, tookMs * REST_TIMES) : 0,
      bundled ? BUNDLED_REST_MS : 0,
    );
  }

  /** In how many milliseconds a claim should read from the beginning again; 0: the next one should. */
  restMs(stage: number): number {
    const known = this.#stages.get(stage);
    return known ? Math.max(0, known.lookedAt + known.againAfterMs - performance.now()) : 0;
  }

  #stage(id: number): StageMarks {
    let stage = this.#stages.get(id);
    if (!stage) {
      stage = { marks: new Map(), lookedAt: Number.NEGATIVE_INFINITY, againAfterMs: 0 };
      this.#stages.set(id, stage);
    }
    return stage;
  }
}
