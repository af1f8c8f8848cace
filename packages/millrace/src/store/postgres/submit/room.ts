// What a group of submissions must look at before it is decided: keys used before, live unique keys, the limits' room.
// Read in a few statements for all of them, under their locks, and kept up to date in memory while they are decided.

import { FOLLOW_AFTER_MS, RUNNING } from "../../codes.ts";
import type { NewJob, RefusalCode, Submission, SubmitAnswer } from "../../store.ts";
import type { Window } from "../../window.ts";
import { liftDue } from "../claim/claim-due.ts";
import { NOT_BUNDLED, runningOf } from "../claim/pick.ts";
import { numbers, texts } from "../connection/arrays.ts";
import type { Runner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { lockShared } from "../sharing/share.ts";
import type { Entry } from "./insert.ts";
import { openWindows } from "./window.ts";

const FIND_IDEMPOTENT = `SELECT asked.tenant, asked.key, fingerprint, jobs, created_at
  FROM unnest($1::int[], $2::text[]) AS asked (tenant, key), LATERAL (SELECT fingerprint, jobs, created_at FROM millrace.idempotency
    WHERE idempotency.tenant = asked.tenant AND idempotency.key = asked.key LIMIT 1) AS found`;
const FIND_UNIQUE = `SELECT asked.kind, asked.tenant, asked.key, job.id, job.stage, job.standing
  FROM unnest($1::int[], $2::int[], $3::text[]) AS asked (kind, tenant, key), LATERAL (SELECT job FROM millrace.unique_key
    WHERE unique_key.kind = asked.kind AND unique_key.tenant = asked.tenant AND unique_key.key = asked.key LIMIT 1) AS found,
  LATERAL (SELECT id, stage, standing FROM millrace.job WHERE job.id = found.job LIMIT 1) AS job`;
const RUNNING_NOW = `SELECT tenant, ${runningOf("asked.tenant")}::int AS running FROM unnest($1::int[]) AS asked (tenant)`;
// No more than need be counted: past the bound it makes no difference by how much.
const WAITING = `SELECT asked.stage, (SELECT count(*)::int FROM (SELECT 1 FROM millrace.job
    WHERE standing = 1 AND job.stage = asked.stage AND ${NOT_BUNDLED} LIMIT $2) AS ready)
  + (SELECT count(*)::int FROM millrace.job WHERE standing = 2 AND job.stage = asked.stage) AS waiting
  FROM unnest($1::int[]) AS asked (stage)`;

/** What a replay needs to answer as the first time, when the jobs themselves are gone. */
export interface FirstAnswer {
  keys?: number[];
  traceId?: string;
}

interface InTheWay {
  /** Missing: it is accepted in this very transaction. */
  id?: number;
  made?: { first: FirstAnswer; place: number };
  stage: number;
  standing: number;
}

/** Where each job's id comes from: stored anew, a job that lives, one of a submission before this one, or of the same. */
export type Place =
  | { of: "new"; entry: Entry }
  | { of: "live"; key: number }
  | { of: "made"; first: FirstAnswer; place: number }
  | { of: "earlier"; place: number };

export function uniqueName(kind: number, tenant: number, key: string): string {
  return `${kind} ${tenant} ${key}`;
}

export class Room {
  readonly #core: Core;
  readonly #known = new Map<string, { fingerprint: string; first: FirstAnswer; at: number }>();
  readonly #unique = new Map<string, InTheWay>();
  #windows = new Map<number, Window>();
  readonly #running = new Map<number, number>();
  readonly #waiting = new Map<number, number>();
  #shared = new Set<string>();

  private constructor(core: Core) {
    this.#core = core;
  }

  static async look(
    core: Core,
    tx: Runner,
    asked: { submission: Submission; tenant: number }[],
    entries: Entry[],
    now: number,
  ): Promise<Room> {
    const room = new Room(core);
    await room.#lookAtKeys(tx, asked, entries);
    room.#shared = await lockShared(
      tx,
      entries.flatMap(({ job }) => (job.completed ? [job.completed.share] : [])),
    );
    const { limits } = core.options;
    const tenants = [...new Set(asked.map(({ tenant }) => tenant))];
    if (limits.maxNewJobsPerMinute > 0) {
      const limit = { what: "submit" as const, count: limits.maxNewJobsPerMinute, perMs: 60_000 };
      room.#windows = await openWindows(tx, limit, tenants, now);
    }
    if (limits.maxConcurrentPerTenant > 0) {
      for (const row of await tx.run<{ tenant: number; running: number }>(RUNNING_NOW, [numbers(tenants)]))
        room.#running.set(row.tenant, row.running);
    }
    if (limits.queueMax > 0 && entries.length > 0) {
      // Whoever is due takes room, also while nobody claims.
      await liftDue(core, tx, now);
      // Jobs of all plans wait in one queue.
      const stages = new Set(entries.flatMap(({ stage }) => core.names.sharing(stage)));
      const rows = await tx.run<{ stage: number; waiting: number }>(WAITING, [numbers(stages), limits.queueMax]);
      for (const row of rows) {
        const { queue } = core.names.stage(row.stage);
        room.#waiting.set(queue, (room.#waiting.get(queue) ?? 0) + row.waiting);
      }
    }
    return room;
  }

  async #lookAtKeys(tx: Runner, asked: { submission: Submission; tenant: number }[], entries: Entry[]): Promise<void> {
    const keyed = asked.filter(({ submission }) => submission.idempotency !== undefined);
    if (keyed.length > 0) {
      const rows = await tx.run<{ tenant: number; key: string; fingerprint: string; jobs: string; created_at: number }>(
        FIND_IDEMPOTENT,
        [numbers(keyed.map(({ tenant }) => tenant)), texts(keyed.map(({ submission }) => submission.idempotency?.key))],
      );
      for (const { tenant, key, fingerprint, jobs, created_at } of rows)
        this.#known.set(`${tenant} ${key}`, { fingerprint, first: JSON.parse(jobs), at: created_at });
    }
    const unique = entries.filter(({ job }) => job.uniqueKey !== undefined);
    if (unique.length === 0) return;
    const rows = await tx.run<InTheWay & { kind: number; tenant: number; key: string }>(FIND_UNIQUE, [
      numbers(unique.map(({ stage }) => stage.kind)),
      numbers(unique.map(({ tenant }) => tenant)),
      texts(unique.map(({ job }) => job.uniqueKey)),
    ]);
    await this.#core.names.knowStages(rows.map(({ stage }) => stage));
    for (const { kind, tenant, key, ...job } of rows) this.#unique.set(uniqueName(kind, tenant, key), job);
  }

  /** Which jobs need not be stored: those whose work is under way. What is known must still be there. */
  places(entries: Entry[]): Place[] {
    const seen = new Map<string, number>();
    return entries.map((given, i): Place => {
      const entry = { ...given, job: this.#checkedCompletion(given.job) };
      const { job, stage, tenant } = entry;
      if (job.uniqueKey === undefined || job.ifUnique === undefined) return { of: "new", entry };
      const name = uniqueName(stage.kind, tenant, job.uniqueKey);
      const earlier = seen.get(name);
      if (job.ifUnique === "follow" && (earlier !== undefined || this.#unique.has(name)))
        return { of: "new", entry: { ...entry, job: follower(job) } };
      if (earlier !== undefined) return { of: "earlier", place: earlier };
      seen.set(name, i);
      const live = this.#unique.get(name);
      if (live?.id !== undefined) return { of: "live", key: live.id };
      return live?.made ? { of: "made", ...live.made } : { of: "new", entry };
    });
  }

  /** A job that is completed at once needs no unique key. */
  #checkedCompletion(job: NewJob): NewJob {
    if (!job.completed) return job;
    const { completed, uniqueKey, ...rest } = job;
    if (this.#shared.has(completed.share)) return { ...rest, completed };
    return uniqueKey === undefined ? rest : { ...rest, uniqueKey };
  }

  replay(submission: Submission, tenant: number) {
    const { idempotency } = submission;
    const known = idempotency && this.#known.get(`${tenant} ${idempotency.key}`);
    if (!known || known.at <= this.#core.ages.before(this.#core.options.limits.idempotencyMs)) return undefined;
    const conflict = `The idempotency key "${idempotency.key}" was used before with another body.`;
    return { first: known.first, at: known.at, ...(known.fingerprint !== idempotency.fingerprint && { conflict }) };
  }

  refusal(entries: Entry[], tenant: number, now: number): Refused | undefined {
    return this.#uniqueRefusal(entries) ?? this.#limitRefusal(entries, tenant, now) ?? this.#queueRefusal(entries, now);
  }

  /** It is accepted: those decided after it find its keys used and its room taken. */
  take(submission: Submission, places: Place[], tenant: number, first: FirstAnswer, now: number): void {
    const { idempotency } = submission;
    if (idempotency)
      this.#known.set(`${tenant} ${idempotency.key}`, { fingerprint: idempotency.fingerprint, first, at: now });
    let added = 0;
    for (const [i, place] of places.entries()) {
      if (place.of !== "new") continue;
      const { job, stage } = place.entry;
      added++;
      if (job.uniqueKey !== undefined) {
        const made = { first, place: i };
        this.#unique.set(uniqueName(stage.kind, tenant, job.uniqueKey), { made, stage: stage.id, standing: 0 });
      }
      if (isDue(job, now)) this.#waiting.set(stage.queue, (this.#waiting.get(stage.queue) ?? 0) + 1);
    }
    this.#windows.get(tenant)?.take(added);
  }

  #uniqueRefusal(entries: Entry[]): Refused | undefined {
    const seen = new Set<string>();
    for (const { job, stage, tenant } of entries) {
      if (job.uniqueKey === undefined) continue;
      const name = uniqueName(stage.kind, tenant, job.uniqueKey);
      if (seen.has(name)) return refused("already-queued", `"${job.uniqueKey}" stands twice in one submission.`);
      seen.add(name);
      const inTheWay = this.#unique.get(name);
      if (inTheWay) return uniqueConflict(this.#core, inTheWay, job.uniqueKey);
    }
    return undefined;
  }

  #limitRefusal(entries: Entry[], tenant: number, now: number): Refused | undefined {
    const count = entries.length;
    if (count === 0) return undefined;
    // What is completed at once runs nowhere.
    const runs = entries.some(({ job }) => !job.completed);
    const { maxNewJobsPerMinute, maxConcurrentPerTenant, tenantOverflow } = this.#core.options.limits;
    const window = this.#windows.get(tenant);
    if (window && window.room < count) {
      const retryAfterMs = Math.max(1, window.freeAt(count) - now);
      return refused("rate-limited", `At most ${maxNewJobsPerMinute} new jobs a minute.`, { retryAfterMs });
    }
    const running = this.#running.get(tenant) ?? 0;
    if (runs && maxConcurrentPerTenant > 0 && tenantOverflow === "reject" && running >= maxConcurrentPerTenant) {
      const message = `${running} jobs are running; at most ${maxConcurrentPerTenant} may at once.`;
      return refused("tenant-busy", message, { retryAfterMs: 1_000 });
    }
    return undefined;
  }

  /** Only due jobs take room; scheduled ones count once they are due. */
  #queueRefusal(entries: Entry[], now: number): Refused | undefined {
    const { queueMax } = this.#core.options.limits;
    if (queueMax <= 0) return undefined;
    const wanted = new Map<Entry["stage"], number>();
    for (const { job, stage } of entries) if (isDue(job, now)) wanted.set(stage, (wanted.get(stage) ?? 0) + 1);
    for (const [stage, count] of wanted) {
      const waiting = this.#waiting.get(stage.queue) ?? 0;
      if (waiting + count > queueMax) {
        const message = `${waiting} jobs wait for "${stage.kindName}/${stage.name}"; at most ${queueMax} may.`;
        return refused("backpressure", message, { retryAfterMs: 1_000 });
      }
    }
    return undefined;
  }
}

export function uniqueConflict(core: Core, job: InTheWay, uniqueKey: string): Refused {
  const stage = core.names.stage(job.stage);
  const jobId = job.id === undefined ? {} : { jobId: core.ids.encode(job.id) };
  if (job.standing === RUNNING) return refused("already-processing", `"${uniqueKey}" is being worked on.`, jobId);
  if (stage.position === 0) return refused("already-queued", `"${uniqueKey}" is already waiting.`, jobId);
  return refused("in-other-stage", `"${uniqueKey}" is waiting in the stage "${stage.name}".`, jobId);
}

function isDue(job: Entry["job"], now: number): boolean {
  return !job.completed && (job.runAt ?? now + (job.delayMs ?? 0)) <= now;
}

type Refused = Extract<SubmitAnswer, { type: "refused" }>;

function refused(code: RefusalCode, message: string, more: { jobId?: string; retryAfterMs?: number } = {}): Refused {
  return { type: "refused", code, message, ...more };
}

/** Scheduled jobs stay where they are: their turn comes later anyway. */
function follower({ uniqueKey: _taken, ...job }: NewJob): NewJob {
  return job.runAt === undefined && job.delayMs === undefined ? { ...job, delayMs: FOLLOW_AFTER_MS } : job;
}
