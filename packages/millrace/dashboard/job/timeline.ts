// One job's life on a common scale: what it waited and what ran, stage by stage. A gap is a sleep or another wait of the
// code, during which the job needs no processor. Pure.

import type { Attempt, Job, JobWait } from "../../src/client/index.ts";

export interface Bar {
  readonly what: "wait" | "gap" | "attempt";
  readonly stage: string;
  readonly attempt: number;
  /** Missing while it runs. */
  readonly outcome: Attempt["outcome"] | undefined;
  readonly startAt: number;
  readonly endAt: number;
  readonly open: boolean;
  /** What a gap waits for: `sleep cool-off`. */
  readonly reasons?: readonly GapReason[];
}

export interface GapReason {
  readonly type: JobWait["type"] | "key";
  readonly name?: string | undefined;
}

export interface Timeline {
  readonly startAt: number;
  readonly endAt: number;
  readonly rows: readonly { readonly stage: string; readonly bars: readonly Bar[] }[];
}

export function timelineOf(
  job: Job,
  { attempts, waits, now }: { attempts: readonly Attempt[]; waits: readonly JobWait[]; now: number },
): Timeline {
  const createdAt = Date.parse(job.createdAt);
  const known = withRunning(job, attempts);
  const isOver = job.completedAt !== undefined;
  const rows = new Map<string, Bar[]>();
  const add = (bar: Bar) => rows.set(bar.stage, [...(rows.get(bar.stage) ?? []), bar]);
  let from = createdAt;
  let before: Attempt["outcome"] | undefined;
  for (const { stage, attempt, startedAt, endedAt, outcome } of known) {
    const startAt = Date.parse(startedAt);
    const open = endedAt === undefined && !isOver;
    const endAt = endedAt === undefined ? Math.max(startAt, isOver ? startAt : now) : Date.parse(endedAt);
    if (startAt > from) {
      const pause = { stage, attempt, outcome: undefined, startAt: from, endAt: startAt, open: false };
      const reasons = before === "waiting" ? reasonsOf(waits, pause) : [];
      add(reasons.length > 0 ? { what: "gap", ...pause, reasons } : { what: "wait", ...pause });
    }
    add({ what: "attempt", stage, attempt, outcome, startAt, endAt, open });
    from = Math.max(from, endAt);
    before = outcome;
  }
  if (job.state === "pending" && now > from) {
    add({
      ...(job.waitsFor ? { what: "gap", reasons: job.waitsFor } : { what: "wait" }),
      stage: job.stage ?? "no plan yet",
      attempt: job.attempt + 1,
      outcome: undefined,
      startAt: from,
      endAt: now,
      open: true,
    });
  }
  const ends = [...rows.values()].flat().map(({ endAt }) => endAt);
  const endAt = Math.max(createdAt + 1, isOver ? Date.parse(job.completedAt as string) : now, ...ends);
  return { startAt: createdAt, endAt, rows: [...rows].map(([stage, bars]) => ({ stage, bars })) };
}

/** The waits that were open between two attempts. Those that lost a race are not among them. */
function reasonsOf(waits: readonly JobWait[], pause: Pick<Bar, "stage" | "startAt" | "endAt">): JobWait[] {
  return waits.filter(
    ({ stage, type, since, answeredAt }) =>
      stage === pause.stage &&
      type !== "race" &&
      type !== "submitted" &&
      Date.parse(since) < pause.endAt &&
      answeredAt !== undefined &&
      Date.parse(answeredAt) > pause.startAt,
  );
}

/** The attempt under way is written down when it ends; until then the job itself tells of it. */
function withRunning(job: Job, attempts: readonly Attempt[]): Attempt[] {
  const sorted = [...attempts].sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  if (job.state !== "running" || !job.startedAt || job.stage === null) return sorted;
  const isKnown = sorted.some(
    ({ stage, attempt, endedAt }) => stage === job.stage && attempt === job.attempt && !endedAt,
  );
  if (isKnown) return sorted;
  const { attempt, startedAt, processor } = job;
  return [...sorted, { stage: job.stage, attempt, startedAt, ...(processor !== undefined && { processor }) }];
}
