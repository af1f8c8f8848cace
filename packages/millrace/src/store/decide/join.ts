// Which jobs of a submission need not be stored, because their work is under way or their result is known, and which change or follow
// another job, because the last submission of a key wins.

import { FOLLOW_AFTER_MS, FOLLOWS } from "../codes.ts";
import type { StageRow } from "../plans/catalog.ts";
import type { NewJob } from "../verbs/submission.ts";
import { NEVER } from "../waits/codes.ts";

/** A job that is to be stored, and the stage at which it starts. */
export interface StoredJob {
  readonly job: NewJob;
  readonly stage: StageRow;
}

/**
 * Where a job's id comes from: it is stored, a live job has its unique key, or one earlier in the same submission. `change`: that
 * job was never claimed, and is changed by this one. `follows`: it is stored to run after the live job of its key.
 */
export type JobSource<Live> =
  | { readonly from: "new"; readonly stored: StoredJob; readonly follows?: NewFollower }
  | { readonly from: "live"; readonly live: Live; readonly change?: PendingChange }
  | { readonly from: "earlier"; readonly index: number; readonly change?: PendingChange };

/** What the submission of a job makes of the job that waits under its unique key. */
export interface PendingChange {
  readonly way: "replaced" | "extended";
  /** As it was submitted. */
  readonly job: NewJob;
}

/** A job to store as the follower of its unique key. */
export interface NewFollower {
  readonly uniqueKey: string;
  /** As it was submitted. */
  readonly job: NewJob;
}

interface JoinFacts<Live> {
  /** The transaction is the caller's, so that no stored job may be changed in it. */
  readonly isCallers?: boolean;
  isShared(key: string): boolean;
  liveJob(kind: number, uniqueKey: string): Live | undefined;
  isEnding?(live: Live): boolean;
  follower(kind: number, uniqueKey: string): Live | undefined;
  unclaimed(kind: number, uniqueKey: string): Live | undefined;
  throttled(kind: number, key: string): Live | undefined;
}

/** The live job that has the unique key and keeps it. If the job that has it is ending, its follower gets it in the same commit. */
export function keyHolder<Live>(
  facts: Pick<JoinFacts<Live>, "liveJob" | "isEnding" | "follower">,
  kind: number,
  uniqueKey: string,
): Live | undefined {
  const live = facts.liveJob(kind, uniqueKey);
  return live !== undefined && facts.isEnding?.(live) ? facts.follower(kind, uniqueKey) : live;
}

export function sourcesOf<Live>(facts: JoinFacts<Live>, stored: readonly StoredJob[]): JobSource<Live>[] {
  const seen = new Map<string, number>();
  return stored.map(({ job: asked, stage }, index): JobSource<Live> => {
    const job = withKeptResult(facts, asked);
    const isNew = { from: "new", stored: { job, stage } } as const;
    if (job.throttle) {
      const name = `throttle ${stage.kind}/${job.throttle.key}`;
      const earlier = seen.get(name);
      if (earlier !== undefined) return { from: "earlier", index: earlier };
      seen.set(name, index);
      const first = facts.throttled(stage.kind, job.throttle.key);
      return first === undefined ? isNew : { from: "live", live: first };
    }
    if (job.uniqueKey === undefined || job.ifUnique === undefined) return isNew;
    const isLast = lastWins(job);
    const name = `${isLast} ${stage.kind}/${job.uniqueKey}`;
    const earlier = seen.get(name);
    const live = keyHolder(facts, stage.kind, job.uniqueKey);
    if (job.ifUnique === "follow" && (earlier !== undefined || live !== undefined))
      return { from: "new", stored: { job: follower(job), stage } };
    const change = isLast ? changeBy(job) : undefined;
    if (earlier !== undefined && !(change && facts.isCallers))
      return { from: "earlier", index: earlier, ...(change && { change }) };
    seen.set(name, index);
    if (live === undefined && earlier === undefined) return isNew;
    if (!change) return { from: "live", live: live as Live };
    const unclaimed = facts.isCallers ? undefined : facts.unclaimed(stage.kind, job.uniqueKey);
    if (unclaimed !== undefined && !facts.isEnding?.(unclaimed)) return { from: "live", live: unclaimed, change };
    return { from: "new", stored: { job: waiting(job), stage }, follows: { uniqueKey: job.uniqueKey, job } };
  });
}

/** Whether a submission changes or follows the job of its unique key. */
export function lastWins({ ifUnique }: Pick<NewJob, "ifUnique">): boolean {
  return ifUnique === "replace" || ifUnique === "extend";
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

function changeBy(job: NewJob): PendingChange {
  return { way: job.ifUnique === "extend" ? "extended" : "replaced", job };
}

/** It gets its key, its time and what counts from that time when the live job ends, or has them beside its row until then. */
function waiting({ uniqueKey: _later, delayMs: _own, expiresInMs: _fromThen, ...job }: NewJob): NewJob {
  return { ...job, runAt: NEVER, flags: (job.flags ?? 0) | FOLLOWS };
}
