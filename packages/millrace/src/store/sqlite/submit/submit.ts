import { RUNNING } from "../../codes.ts";
import type { NewJob, RefusalCode, Submission, SubmitAnswer } from "../../store.ts";
import { liftDue, nextDueAt } from "../claim/claim.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import type { StageRow } from "../register/names.ts";
import { insertJobs, runAtOf } from "./insert.ts";
import { insertCompleted } from "./insert-completed.ts";
import { checkedCompletion, findUnique, markJoined, type Place, placesOf } from "./join.ts";
import { type WindowLimit, windowFreeAt, windowRoom, windowTake } from "./window.ts";

const FIND_IDEMPOTENT = "SELECT fingerprint, jobs, created_at FROM idempotency WHERE tenant = ? AND key = ?";
const PUT_IDEMPOTENT = `INSERT OR REPLACE INTO idempotency (tenant, key, fingerprint, jobs, created_at) VALUES (?, ?, ?, ?, ?)`;
const TENANT_RUNNING = "SELECT running FROM tenant WHERE id = ?";
const STAGE_QUEUE = `SELECT sum(ready + suspect) AS waiting FROM stage WHERE kind = ? AND name = ?`;

/** Idempotency, unique keys, limits, queue room, insert: in that order, all in the caller's transaction. */
export function submit(core: Core, submissions: Submission[]): SubmitAnswer[] {
  core.names.refresh();
  return submissions.map((submission) => submitOne(core, submission));
}

function submitOne(core: Core, submission: Submission): SubmitAnswer {
  const now = core.clock.now();
  const tenant = core.names.tenant(submission.tenant);
  const replay = replayed(core, submission, tenant);
  if (replay) return replay;
  if (core.room.full) return refuse("disk-full", "There is no room left on the disk.", { retryAfterMs: 5_000 });

  const stages: StageRow[] = [];
  for (const job of submission.jobs) {
    const stage = core.names.firstStage(job.kind);
    if (!stage) return refuse("kind-unknown", `Unknown kind "${job.kind}".`);
    stages.push(stage);
  }
  const special = submission.jobs.some((job) => job.ifUnique !== undefined || job.completed !== undefined);
  const jobs = special ? submission.jobs.map((job) => checkedCompletion(core, job)) : submission.jobs;
  const places = special ? placesOf(core, jobs, stages, tenant) : undefined;
  const added = places === undefined ? jobs : places.flatMap((place) => (place.of === "new" ? [place.job] : []));
  const addedStages = places === undefined ? stages : stages.filter((_, place) => places[place]?.of === "new");
  const refusal =
    uniqueRefusal(core, added, addedStages, tenant) ??
    limitRefusal(core, added, tenant, now) ??
    queueRefusal(core, added, addedStages, now);
  if (refusal) return refusal;

  const addedKeys = special
    ? insertEach(core, added, addedStages, tenant, now)
    : insertJobs(core, added, stages, tenant, now);
  const keys = places === undefined ? addedKeys : keysInPlaces(core, places, addedKeys);
  const { idempotency } = submission;
  if (idempotency) {
    const first: FirstAnswer = { keys, ...traceOfFirst(submission.jobs) };
    core.statement(PUT_IDEMPOTENT).run(tenant, idempotency.key, idempotency.fingerprint, JSON.stringify(first), now);
  }
  const perMinute = core.options.limits.maxNewJobsPerMinute;
  if (perMinute > 0) windowTake(core, rateLimit(tenant, perMinute), now, addedKeys.length);
  const plans = core.names.foreignPlans(stages);
  return {
    type: "accepted",
    jobIds: keys.map(core.ids.encode),
    at: now,
    ...(places && specialPlaces(places)),
    ...(plans && { plans }),
  };
}

function insertEach(core: Core, jobs: NewJob[], stages: StageRow[], tenant: number, now: number): number[] {
  return jobs.flatMap((job, i) => {
    const stage = stages[i] as StageRow;
    if (job.completed) return insertCompleted(core, job, stage, tenant, now);
    return insertJobs(core, [job], [stage], tenant, now);
  });
}

function keysInPlaces(core: Core, places: Place[], added: number[]): number[] {
  const keys: number[] = [];
  const rest = added.values();
  for (const place of places) {
    if (place.of === "new") keys.push(rest.next().value as number);
    else {
      const key = place.of === "live" ? place.key : (keys[place.place] as number);
      markJoined(core, key);
      keys.push(key);
    }
  }
  return keys;
}

function specialPlaces(places: Place[]): { joined?: number[]; completed?: number[] } {
  const where = (is: (place: Place) => boolean) => places.flatMap((place, i) => (is(place) ? [i] : []));
  const joined = where((place) => place.of !== "new");
  const completed = where((place) => place.of === "new" && place.job.completed !== undefined);
  return { ...(joined.length > 0 && { joined }), ...(completed.length > 0 && { completed }) };
}

function replayed(core: Core, submission: Submission, tenant: number): SubmitAnswer | undefined {
  if (!submission.idempotency) return undefined;
  const { key, fingerprint } = submission.idempotency;
  const row = core.statement(FIND_IDEMPOTENT).get(tenant, key) as
    | { fingerprint: string; jobs: string; created_at: number }
    | undefined;
  if (!row || row.created_at <= core.ages.before(core.options.limits.idempotencyMs)) return undefined;
  const { keys, ...trace } = JSON.parse(row.jobs) as FirstAnswer;
  const jobIds = keys.map(core.ids.encode);
  if (row.fingerprint === fingerprint) return { type: "replayed", jobIds, at: row.created_at, ...trace };
  const message = `The idempotency key "${key}" was used before with another body.`;
  return refuse("idempotency-conflict", message, jobIds[0] === undefined ? {} : { jobId: jobIds[0] });
}

/** What a replay needs to answer as the first time, when the jobs themselves are gone. */
interface FirstAnswer {
  keys: number[];
  traceId?: string;
}

function traceOfFirst([first]: NewJob[]): { traceId?: string } {
  return first?.traceId === undefined ? {} : { traceId: first.traceId };
}

function uniqueRefusal(core: Core, jobs: NewJob[], stages: StageRow[], tenant: number): SubmitAnswer | undefined {
  const seen = new Set<string>();
  for (const [i, job] of jobs.entries()) {
    if (job.uniqueKey === undefined) continue;
    const stage = stages[i] as StageRow;
    const name = `${stage.kind}/${job.uniqueKey}`;
    if (seen.has(name)) return refuse("already-queued", `"${job.uniqueKey}" stands twice in one submission.`);
    seen.add(name);
    const inTheWay = findUnique(core, stage.kind, tenant, job.uniqueKey);
    if (inTheWay !== undefined) return uniqueConflict(core, inTheWay, job.uniqueKey);
  }
  return undefined;
}

export function uniqueConflict(core: Core, key: number, uniqueKey: string): Refused {
  const row = findRow(core, key);
  if (!row) throw new Error(`unique key of a job that is gone: ${key}`);
  const stage = core.names.stage(row.stage);
  const jobId = core.ids.encode(key);
  if (row.standing === RUNNING) return refuse("already-processing", `"${uniqueKey}" is being worked on.`, { jobId });
  if (stage.position === 0) return refuse("already-queued", `"${uniqueKey}" is already waiting.`, { jobId });
  return refuse("in-other-stage", `"${uniqueKey}" is waiting in the stage "${stage.name}".`, { jobId });
}

function limitRefusal(core: Core, jobs: NewJob[], tenant: number, now: number): SubmitAnswer | undefined {
  const { maxNewJobsPerMinute, maxConcurrentPerTenant, tenantOverflow } = core.options.limits;
  const count = jobs.length;
  if (count === 0) return undefined;
  if (maxNewJobsPerMinute > 0) {
    const limit = rateLimit(tenant, maxNewJobsPerMinute);
    if (windowRoom(core, limit, now) < count) {
      const retryAfterMs = Math.max(1, windowFreeAt(core, limit, now, count) - now);
      return refuse("rate-limited", `At most ${maxNewJobsPerMinute} new jobs a minute.`, { retryAfterMs });
    }
  }
  // What is completed at once runs nowhere.
  const runs = jobs.some((job) => !job.completed);
  if (runs && maxConcurrentPerTenant > 0 && tenantOverflow === "reject") {
    core.counts.flush();
    const { running } = core.statement(TENANT_RUNNING).get(tenant) as { running: number };
    if (running >= maxConcurrentPerTenant) {
      const message = `${running} jobs are running; at most ${maxConcurrentPerTenant} may at once.`;
      return refuse("tenant-busy", message, { retryAfterMs: 1_000 });
    }
  }
  return undefined;
}

/** Only due jobs take room; scheduled ones count once they are due. */
function queueRefusal(core: Core, jobs: NewJob[], stages: StageRow[], now: number): SubmitAnswer | undefined {
  const { queueMax } = core.options.limits;
  if (queueMax <= 0) return undefined;
  // Whoever is due takes room, also while nobody claims.
  if ((nextDueAt(core) ?? Number.POSITIVE_INFINITY) <= now) liftDue(core, now);
  core.counts.flush();
  const wanted = new Map<StageRow, number>();
  for (const [i, job] of jobs.entries()) {
    if (job.completed || runAtOf(job, now) > now) continue;
    const stage = stages[i] as StageRow;
    wanted.set(stage, (wanted.get(stage) ?? 0) + 1);
  }
  for (const [stage, count] of wanted) {
    const { waiting } = core.statement(STAGE_QUEUE).get(stage.kind, stage.name) as { waiting: number };
    if (waiting + count > queueMax) {
      const message = `${waiting} jobs wait for "${stage.kindName}/${stage.name}"; at most ${queueMax} may.`;
      return refuse("backpressure", message, { retryAfterMs: 1_000 });
    }
  }
  return undefined;
}

function rateLimit(tenant: number, count: number): WindowLimit {
  return { what: "submit", owner: tenant, count, perMs: 60_000 };
}

type Refused = Extract<SubmitAnswer, { type: "refused" }>;

function refuse(code: RefusalCode, message: string, more: { jobId?: string; retryAfterMs?: number } = {}): Refused {
  return { type: "refused", code, message, ...more };
}
