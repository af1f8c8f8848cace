// Which jobs of a submission need not be stored, because their work is under way or their result is known.

import { FOLLOW_AFTER_MS } from "../codes.ts";
import type { StageRow } from "../plans/catalog.ts";
import type { NewJob } from "../verbs/submission.ts";

/** A job that is to be stored, and the stage at which it starts. */
export interface StoredJob {
  readonly job: NewJob;
  readonly stage: StageRow;
}

/** Where a job's id comes from: it is stored, a live job has its unique key, or one earlier in the same submission. */
export type JobSource<Live> =
  | { readonly from: "new"; readonly stored: StoredJob }
  | { readonly from: "live"; readonly live: Live }
  | { readonly from: "earlier"; readonly index: number };

interface JoinFacts<Live> {
  isShared(key: string): boolean;
  liveJob(kind: number, uniqueKey: string): Live | undefined;
  isEnding?(live: Live): boolean;
}

/** The live job that has the unique key and keeps it. */
export function keyHolder<Live>(
  facts: Pick<JoinFacts<Live>, "liveJob" | "isEnding">,
  kind: number,
  uniqueKey: string,
): Live | undefined {
  const live = facts.liveJob(kind, uniqueKey);
  return live !== undefined && facts.isEnding?.(live) ? undefined : live;
}

export function sourcesOf<Live>(facts: JoinFacts<Live>, stored: readonly StoredJob[]): JobSource<Live>[] {
  const seen = new Map<string, number>();
  return stored.map(({ job: asked, stage }, index): JobSource<Live> => {
    const job = withKeptResult(facts, asked);
    const isNew = { from: "new", stored: { job, stage } } as const;
    if (job.uniqueKey === undefined || job.ifUnique === undefined) return isNew;
    const name = `${stage.kind}/${job.uniqueKey}`;
    const earlier = seen.get(name);
    const live = keyHolder(facts, stage.kind, job.uniqueKey);
    if (job.ifUnique === "follow" && (earlier !== undefined || live !== undefined))
      return { from: "new", stored: { job: follower(job), stage } };
    if (earlier !== undefined) return { from: "earlier", index: earlier };
    seen.set(name, index);
    return live === undefined ? isNew : { from: "live", live };
  });
}

/** A job that is stored as completed needs no unique key. Where its result is no longer kept, it is stored to run. */
function withKeptResult(facts: Pick<JoinFacts<unknown>, "isShared">, job: NewJob): NewJob {
  if (!job.completed) return job;
  const { completed, uniqueKey, ...rest } = job;
  if (facts.isShared(completed.share)) return { ...rest, completed };
  return uniqueKey === undefined ? rest : { ...rest, uniqueKey };
}

/** A scheduled job keeps its own time, which comes later anyway. */
function follower({ uniqueKey: _taken, ...job }: NewJob): NewJob {
  return job.runAt === undefined && job.delayMs === undefined ? { ...job, delayMs: FOLLOW_AFTER_MS } : job;
}
