// Writes submissions that are accepted: their jobs, and what stands beside them (unique keys, answers kept for idempotency keys,
// the windows of rate limits).

import { JOINED } from "../../codes.ts";
import type { JobSource } from "../../decide/join.ts";
import { latestAtOf } from "../../decide/pending/change.ts";
import type { Acceptance } from "../../decide/submission.ts";
import type { FirstAnswer } from "../../rows/first-answer.ts";
import type { Submission } from "../../verbs/submission.ts";
import { numbers, texts } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { type ChangeOfJob, changeJobs } from "../followers/change.ts";
import { addFollowers, type FollowerToAdd, followerToAdd } from "../followers/follower.ts";
import { type LiveJob, storedOf } from "./facts.ts";
import { type Entry, insertJobs, putUnique, type UniqueRow } from "./insert.ts";
import { insertCompleted } from "./insert-completed.ts";
import { limitsOf } from "./limits-of.ts";
import { PUT_THROTTLES, throttleValues } from "./throttle.ts";
import { writeWindow } from "./window.ts";

const PUT_IDEMPOTENT = `INSERT INTO millrace.idempotency (tenant, key, fingerprint, jobs, created_at)
  SELECT t.tenant::int, t.key, t.fingerprint, t.jobs, $5::bigint
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS t (tenant, key, fingerprint, jobs)
  ON CONFLICT (tenant, key) DO UPDATE SET fingerprint = excluded.fingerprint, jobs = excluded.jobs,
  created_at = excluded.created_at`;

const MARK_JOINED = `UPDATE millrace.job SET flags = flags | ${JOINED} WHERE id = ANY($1::bigint[])`;

/** A decision, with what is written for an accepted submission. */
export type AcceptedSubmission = Acceptance<LiveJob> & { first: FirstAnswer; submission: Submission; tenant: number };

/** Stores the jobs. From then on, `first.keys` of each submission has their keys. */
export async function writeAccepted(
  core: Core,
  tx: StatementRunner,
  accepted: AcceptedSubmission[],
  now: number,
): Promise<void> {
  await insertAll(core, tx, accepted, now);
  await writeBeside(core, tx, accepted, now);
}

/** Inserts in the order of the submissions, because a later one may have joined a job of an earlier one. */
async function insertAll(core: Core, tx: StatementRunner, accepted: AcceptedSubmission[], now: number): Promise<void> {
  const ordinary = accepted.flatMap(({ added, tenant }) =>
    added.filter(({ job }) => !job.completed).map((stored) => ({ ...stored, tenant })),
  );
  const inserted = (ordinary.length > 0 ? await insertJobs(tx, core, ordinary, now) : []).values();
  const joined = new Set<number>();
  for (const { first, sources, added, tenant } of accepted) {
    const keys: number[] = [];
    first.keys = keys;
    for (const source of sources ?? added.map((stored) => ({ from: "new", stored }) as const)) {
      if (source.from !== "new") {
        const key = joinedKey(source, keys);
        keys.push(key);
        if (!source.change) joined.add(key);
      } else if (source.stored.job.completed) {
        keys.push(await insertCompleted(core, tx, { ...source.stored, tenant }, now));
      } else keys.push(inserted.next().value as number);
    }
  }
  // Marks the job, because now more than its submitter may wait for it.
  if (joined.size > 0) await tx.run(MARK_JOINED, [numbers([...joined].sort((a, b) => a - b))]);
}

function joinedKey(source: Exclude<JobSource<LiveJob>, { from: "new" }>, keys: readonly number[]): number {
  if (source.from === "earlier") return keys[source.index] as number;
  const { live } = source;
  return live.id ?? (live.made.first.keys?.[live.made.index] as number);
}

function followersOf({ tenant, first, ...decision }: AcceptedSubmission, now: number): FollowerToAdd[] {
  return storedOf(decision).flatMap(({ stored: { stage }, index, follows }) =>
    follows ? [followerToAdd(follows, { id: first.keys?.[index] as number, kind: stage.kind, tenant, now })] : [],
  );
}

function storedEntries({ tenant, first, ...decision }: AcceptedSubmission): (Entry & { id: number })[] {
  return storedOf(decision).map(({ stored, index }) => ({ ...stored, tenant, id: first.keys?.[index] as number }));
}

function changesOf({ first, sources = [] }: AcceptedSubmission): ChangeOfJob[] {
  return sources.flatMap((source, i) =>
    source.from !== "new" && source.change ? [{ id: first.keys?.[i] as number, change: source.change }] : [],
  );
}

async function writeBeside(
  core: Core,
  tx: StatementRunner,
  accepted: AcceptedSubmission[],
  now: number,
): Promise<void> {
  const unique = accepted.flatMap(({ tenant, first, ...decision }) =>
    storedOf(decision).flatMap(({ stored: { job, stage }, index }): UniqueRow[] =>
      job.uniqueKey === undefined
        ? []
        : [
            {
              kind: stage.kind,
              tenant,
              key: job.uniqueKey,
              job: first.keys?.[index] as number,
              latest_at: latestAtOf(job, now),
            },
          ],
    ),
  );
  await putUnique(tx, unique);
  const throttles = throttleValues(accepted.flatMap(storedEntries), now);
  if (throttles) await tx.run(PUT_THROTTLES, throttles);
  await addFollowers(
    tx,
    accepted.flatMap((each) => followersOf(each, now)),
  );
  await changeJobs(tx, accepted.flatMap(changesOf), now);
  const keyed = accepted.filter(({ submission }) => submission.idempotency !== undefined);
  if (keyed.length > 0) {
    await tx.run(PUT_IDEMPOTENT, [
      texts(keyed.map(({ tenant }) => String(tenant))),
      texts(keyed.map(({ submission }) => submission.idempotency?.key)),
      texts(keyed.map(({ submission }) => submission.idempotency?.fingerprint)),
      texts(keyed.map(({ first }) => JSON.stringify({ ...first, keys: first.keys ?? [] }))),
      now,
    ]);
  }
  const passed = new Map<number, number>();
  for (const { tenant, added } of accepted) passed.set(tenant, (passed.get(tenant) ?? 0) + added.length);
  for (const [tenant, jobs] of passed) {
    const { rate } = limitsOf(core, tenant);
    if (jobs > 0 && rate) await writeWindow(tx, { what: "submit", ...rate }, tenant, now, jobs);
  }
}
