// The unique keys of live jobs, and how a job that was stored behind another takes the key over.

import type { Lease } from "../../../job/lease.ts";
import { HAS_UNIQUE_KEY, JOINED } from "../../codes.ts";
import { refuseSecondKey } from "../../decide/pending/unique-key.ts";
import type { UniqueKeyAnswer } from "../../verbs/attempts.ts";
import type { Core } from "../core.ts";
import { addFlag, heldRow } from "../settle/belongings.ts";
import { PUT_UNIQUE } from "./insert.ts";

const MARK_JOINED = `UPDATE job SET flags = flags | ${JOINED} WHERE id = ?`;
const FIND_UNIQUE = "SELECT job FROM unique_key WHERE kind = ? AND tenant = ? AND key = ?";

/** The live job that has the key. */
export function findUnique(core: Core, kind: number, tenant: number, uniqueKey: string): number | undefined {
  return (core.statement(FIND_UNIQUE).get(kind, tenant, uniqueKey) as { job: number } | undefined)?.job;
}

export function acquireUnique(core: Core, lease: Lease, key: string): UniqueKeyAnswer {
  const known = idleAcquireUnique(core, lease, key);
  if (known !== undefined) return known.answer;
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  refuseSecondKey(row);
  core.statement(PUT_UNIQUE).run(core.names.stage(row.stage).kind, row.tenant, key, row.id);
  addFlag(core, row, HAS_UNIQUE_KEY);
  return "taken";
}

/** The answer where there is nothing to write: the job holds the key, or another job does. */
export function idleAcquireUnique(core: Core, lease: Lease, key: string): { answer: UniqueKeyAnswer } | undefined {
  const row = heldRow(core, lease);
  if (!row) return { answer: "lease-lost" };
  const holder = findUnique(core, core.names.stage(row.stage).kind, row.tenant, key);
  if (holder === undefined) return undefined;
  if (holder === row.id) return { answer: "held" };
  return { answer: { jobId: core.ids.encode(holder), waitedMs: core.clock.now() - row.created_at } };
}

/** Marks the job, because now more than its submitter may wait for it. */
export function markJoined(core: Core, key: number): void {
  core.statement(MARK_JOINED).run(key);
}
