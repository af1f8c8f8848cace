// Every sentence with which a store refuses a submission, with its code, and other sentences of both stores.

import type { Pace } from "../../job/kind/pace.ts";
import { AppError } from "../../lib/app-error.ts";
import { RUNNING } from "../codes.ts";
import type { StageRow } from "../plans/catalog.ts";
import type { RefusalCode, SubmitAnswer } from "../verbs/submission.ts";
import type { LimitsInForce } from "./limits/in-force.ts";

export type Refusal = Extract<SubmitAnswer, { type: "refused" }>;

const MINUTE_MS = 60_000;
/** How soon it makes sense to try again after a refusal that has no moment of its own. */
const AGAIN_MS = 1_000;
const DISK_AGAIN_MS = 5_000;

export const NO_DISK_ROOM = "The disk is full.";
export const FREE_DISK_SPACE = "Free some space. Work then continues.";

export function diskFull(): Refusal {
  return refusal("disk-full", NO_DISK_ROOM, { retryAfterMs: DISK_AGAIN_MS });
}

export function kindUnknown(kind: string): Refusal {
  return refusal("kind-unknown", `Unknown kind "${kind}".`);
}

export function idempotencyConflict(key: string, jobId: string | undefined): Refusal {
  return refusal("idempotency-conflict", `The idempotency key "${key}" was already used with another body.`, { jobId });
}

export function priorityOfOrdered(kind: string): Refusal {
  return refusal("invalid-request", `Jobs of the kind "${kind}" run in order, so they cannot have a priority.`);
}

/** The lock of a unique or idempotency key was not free in time. */
export function keyBusy(): Refusal {
  const message = "Another transaction has submitted the same key and has not committed yet.";
  return refusal("key-busy", message, { retryAfterMs: AGAIN_MS });
}

/** Two jobs of one submission have the same unique key. */
export function uniqueKeyTwice(uniqueKey: string): Refusal {
  return refusal("already-queued", `The unique key "${uniqueKey}" appears twice in one submission.`);
}

/** A live job, as far as a refusal names it. `jobId` is missing while the transaction that stores it is still open. */
export interface KeyOwner {
  readonly jobId?: string | undefined;
  readonly standing: number;
  readonly stage: Pick<StageRow, "name" | "position">;
}

export function uniqueKeyTaken(uniqueKey: string, { jobId, standing, stage }: KeyOwner): Refusal {
  if (standing === RUNNING)
    return refusal("already-processing", `A job with the unique key "${uniqueKey}" is running.`, { jobId });
  if (stage.position === 0)
    return refusal("already-queued", `A job with the unique key "${uniqueKey}" is already waiting.`, { jobId });
  return refusal(
    "in-other-stage",
    `A job with the unique key "${uniqueKey}" is waiting in the stage "${stage.name}".`,
    { jobId },
  );
}

export function rateLimited({ own }: LimitsInForce, rate: Pace, tenant: string, retryAfterMs: number): Refusal {
  const period = rate.perMs === MINUTE_MS ? "a minute" : `per ${rate.perMs} ms`;
  const limit = limitOf(tenant, own.rate !== undefined);
  return refusal("rate-limited", `${limit} is ${jobs(rate.count, "new job")} ${period}.`, { retryAfterMs });
}

export function tenantBusy({ own, concurrency }: LimitsInForce, tenant: string, running: number): Refusal {
  const limit = limitOf(tenant, own.concurrency !== undefined, { begins: false });
  const message = `${jobs(running)} ${running === 1 ? "is" : "are"} running; ${limit} is ${concurrency}.`;
  return refusal("tenant-busy", message, { retryAfterMs: AGAIN_MS });
}

export function queueFull(
  { own, queueMax }: LimitsInForce,
  tenant: string,
  stage: Pick<StageRow, "kindName" | "name">,
  waiting: number,
): Refusal {
  const limit = limitOf(tenant, own.queueMax !== undefined, { begins: false });
  const message = `${jobs(waiting)} ${waiting === 1 ? "waits" : "wait"} for "${stage.kindName}/${stage.name}"; ${limit} is ${queueMax}.`;
  return refusal("backpressure", message, { retryAfterMs: AGAIN_MS });
}

/** Whose limit it is: the one of all tenants, or this tenant's own. */
function limitOf(tenant: string, isOwn: boolean, { begins = true } = {}): string {
  return `${begins ? "The" : "the"} ${isOwn ? `limit of tenant "${tenant}"` : "limit"}`;
}

function jobs(count: number, noun = "job"): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function refusal(
  code: RefusalCode,
  message: string,
  { jobId, retryAfterMs }: { jobId?: string | undefined; retryAfterMs?: number } = {},
): Refusal {
  return {
    type: "refused",
    code,
    message,
    ...(jobId !== undefined && { jobId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** The hint where a newer version has changed the schema. */
export const NEWER_SCHEMA_HINT = "Start the newer version of Millrace again, or restore a backup made before it.";

export function backupExists(path: string): AppError {
  return new AppError("backup-exists", `${path} already exists.`, { hint: "Name a new file for each backup." });
}
