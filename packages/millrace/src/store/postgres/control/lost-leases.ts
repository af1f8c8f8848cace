// Compares the leases that this process believes to hold with those that the store says it holds.

import type { LossReason } from "../../../job/lease.ts";
import { RUNNING } from "../../codes.ts";
import { lossReasonOf } from "../../decide/deadline.ts";
import { CANCEL_ASKED } from "../../waits/codes.ts";
import { CLAIM_ANSWERED_MS } from "../claim/bundles.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { release } from "./hand-back.ts";
import { ENDED_JOBS, LOCK_JOBS } from "./job-rows.ts";

const TOKENS_HELD_BY = `SELECT id, token, flags, ${NOW} - started_at AS age FROM millrace.job WHERE standing = ${RUNNING} AND holder = $2`;

const BATCH = 200;
const RELEASE_MS = 500;

interface LostLease {
  jobId: string;
  token: number;
  reason: LossReason;
}

/**
 * Finds leases that this process no longer holds, because the job was cancelled or the process was declared dead. Jobs
 * of a claim whose answer never came go back to the queue.
 */
export async function findLost(core: Core): Promise<LostLease[]> {
  await core.bundles.undoUnanswered();
  // Leases that begin during this look are not in the answer, leases that are being settled may be over, and jobs in a bundle
  // have no row that says they run. None of these is lost.
  const before = core.leases.all().filter(({ bundle }) => bundle?.isOpened ?? true);
  const rows = await core.connections.write.run<{ id: number; token: number; flags: number; age: number }>(
    TOKENS_HELD_BY,
    [core.clock.given, core.instances.id],
  );
  const unknown = rows.filter((row) => row.age > CLAIM_ANSWERED_MS && isUnknown(core, row)).map(({ id }) => id);
  await releaseUnknown(core, unknown);
  const tokens = new Map(rows.map((row) => [row.id, row.token]));
  const gone = before.filter(
    (held) =>
      tokens.get(held.key) !== held.token && core.leases.get(held.key) === held && !core.leases.isSettling(held.key),
  );
  const asked = rows
    .filter(({ flags }) => flags & CANCEL_ASKED)
    .map(({ id, token }): LostLease => ({ jobId: core.ids.encode(id), token, reason: "undoing" }));
  if (gone.length === 0) return asked;
  const keys = numbers(gone.map(({ key }) => key));
  const left = await core.connections.write.run<{ id: number; standing: number; failure: string | null }>(ENDED_JOBS, [
    keys,
  ]);
  const ended = new Map(left.map((row) => [row.id, row]));
  for (const { key } of gone) core.leases.end(key);
  const lost = gone.map(({ key, jobId, token }) => ({ jobId, token, reason: lossReasonOf(ended.get(key)) }));
  return [...asked, ...lost];
}

/**
 * Gives back jobs in small commits, and for a part of a tick. Under a server that goes away every second one large
 * commit would never succeed, and the leases of this process must be renewed in between.
 */
async function releaseUnknown(core: Core, keys: number[]): Promise<void> {
  const until = performance.now() + RELEASE_MS;
  let count = 0;
  try {
    for (let i = 0; i < keys.length && performance.now() < until; i += BATCH) {
      count += await core.connections.write.transact(async (tx) => {
        const rows = await tx.run<LockedRow>(LOCK_JOBS, [core.clock.given, numbers(keys.slice(i, i + BATCH))]);
        const ours = rows.filter(({ standing, holder }) => standing === RUNNING && holder === core.instances.id);
        return release(
          core,
          tx,
          ours.filter((row) => isUnknown(core, row)),
        );
      });
    }
  } finally {
    if (count > 0) {
      core.voice.say("work");
      core.events.wake();
    }
  }
}

function isUnknown(core: Core, { id, token }: { id: number; token: number }): boolean {
  return !core.leases.has({ key: id, token }) && !core.leases.isSettling(id);
}
