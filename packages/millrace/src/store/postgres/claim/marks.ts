// Where in each lane the last claim ended. What was taken leaves dead entries in the index of ready jobs, and a claim from the
// beginning reads all of them: vacuum clears them away within a minute, unless somebody's long transaction keeps them. So a
// claim may start at the mark. It then overlooks what became ready before the mark (a retry, a higher priority, a commit that
// took longer than its neighbour's), until a claim reads from the beginning again. That is:
//   - while a stage is busy, for as long as the last look around it holds (claim.ts);
//   - else always, unless that has become slow: then once a second, or for a twentieth of the time;
//   - where jobs are taken in bundles, a few times a second: whoever starts at the beginning steps over all of them.

export interface Mark {
  tenant: number;
  priority: number;
  run_at: number;
  id: number;
}

interface Stage {
  marks: Map<number, Mark>;
  lookedAt: number;
  againAfterMs: number;
}

/** What a claim takes on a machine under load, apart from what each of its jobs takes. */
const QUICK_MS = 5;
const QUICK_MS_PER_JOB = 0.1;
const SHARE = 20;
const LONGEST_MS = 1_000;
const BUNDLED_MS = 200;
/** They travel with every claim: where tenants are more, what was taken of most of them is little. */
const MOST = 1_000;

export class Marks {
  readonly #stages = new Map<number, Stage>();

  /** By tenant. */
  of(stage: number): Mark[] {
    return [...(this.#stages.get(stage)?.marks.values() ?? [])].sort((a, b) => a.tenant - b.tenant);
  }

  /** Jobs were taken, in order. */
  advance(stage: number, taken: readonly Mark[]): void {
    const { marks } = this.#stage(stage);
    for (const { tenant, priority, run_at, id } of taken) {
      if (marks.size < MOST || marks.has(tenant)) marks.set(tenant, { tenant, priority, run_at, id });
    }
  }

  /** A claim begins at the beginning. */
  forget(stage: number): void {
    this.#stage(stage).marks.clear();
  }

  /** It did so, and this is how long it took. */
  lookedThrough(stage: number, tookMs: number, { jobs, bundled }: { jobs: number; bundled: boolean }): void {
    const known = this.#stage(stage);
    const slow = tookMs > QUICK_MS + jobs * QUICK_MS_PER_JOB;
    known.lookedAt = performance.now();
    known.againAfterMs = Math.max(slow ? Math.min(LONGEST_MS, tookMs * SHARE) : 0, bundled ? BUNDLED_MS : 0);
  }

  /** In how many milliseconds a claim should begin at the beginning; 0: the next one. */
  restMs(stage: number): number {
    const known = this.#stages.get(stage);
    return known ? Math.max(0, known.lookedAt + known.againAfterMs - performance.now()) : 0;
  }

  #stage(id: number): Stage {
    let stage = this.#stages.get(id);
    if (!stage) {
      stage = { marks: new Map(), lookedAt: Number.NEGATIVE_INFINITY, againAfterMs: 0 };
      this.#stages.set(id, stage);
    }
    return stage;
  }
}
