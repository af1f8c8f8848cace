import type { JobSource, StoredJob } from "../../decide/join.ts";
import { limitsInForce } from "../../decide/limits/in-force.ts";
import { type Acceptance, acceptanceOf, acceptedAnswer, decideSubmission } from "../../decide/submission.ts";
import { firstAnswerOf } from "../../rows/first-answer.ts";
import type { Submission, SubmitAnswer } from "../../verbs/submission.ts";
import type { Core } from "../core.ts";
import { changeJob } from "../followers/change.ts";
import { addFollower } from "../followers/follower.ts";
import { Facts } from "./facts.ts";
import { insertJobs } from "./insert.ts";
import { insertCompleted } from "./insert-completed.ts";
import { putThrottle } from "./throttle.ts";
import { markJoined } from "./unique-key.ts";
import { submitLimit, windowTake } from "./window.ts";

const PUT_IDEMPOTENT = `INSERT OR REPLACE INTO idempotency (tenant, key, fingerprint, jobs, created_at) VALUES (?, ?, ?, ?, ?)`;

/** Runs in the transaction of the group. Each submission is written before the next one is decided. */
export function submit(core: Core, submissions: Submission[]): SubmitAnswer[] {
  core.names.refresh();
  return submissions.map((submission) => submitOne(core, submission));
}

function submitOne(core: Core, submission: Submission): SubmitAnswer {
  const tenant = core.names.tenant(submission.tenant);
  const facts = new Facts(core, tenant);
  const decision = decideSubmission(facts, submission);
  if (decision.type === "refused") return decision.answer;
  if (decision.type === "known") return decision.answer((decision.known.first.keys ?? []).map(core.ids.encode));

  const { now } = facts;
  const keys = storeAccepted(core, decision, tenant, now);
  const { idempotency, jobs } = submission;
  if (idempotency) {
    const first = JSON.stringify({ keys, ...firstAnswerOf(jobs, acceptanceOf(decision)) });
    core.statement(PUT_IDEMPOTENT).run(tenant, idempotency.key, idempotency.fingerprint, first, now);
  }
  const plans = core.names.foreignPlans(decision.starts);
  return acceptedAnswer(decision, { jobIds: keys.map(core.ids.encode), at: now, plans });
}

/** Stores the jobs of an accepted submission, and gives the keys of all of its jobs, in its order. */
export function storeAccepted(core: Core, decision: Acceptance<number>, tenant: number, now: number): number[] {
  const keys = insertAll(core, decision, tenant, now);
  const { rate } = limitsInForce(core.options.limits, core.names.ownLimits.of(tenant));
  if (rate) windowTake(core, submitLimit(tenant, rate), now, decision.added.length);
  return keys;
}

function insertAll(core: Core, { added, sources }: Acceptance<number>, tenant: number, now: number): number[] {
  if (sources === undefined) return insertJobs(core, added, tenant, now);
  const keys: number[] = [];
  for (const source of sources) keys.push(keyFor(core, source, { keys, tenant, now }));
  return keys;
}

function keyFor(
  core: Core,
  source: JobSource<number>,
  { keys, tenant, now }: { keys: readonly number[]; tenant: number; now: number },
): number {
  if (source.from === "new") {
    const id = insertOne(core, source.stored, tenant, now);
    putThrottle(core, source.stored, { id, tenant, now });
    if (source.follows) addFollower(core, source.follows, { id, kind: source.stored.stage.kind, tenant, now });
    return id;
  }
  const key = source.from === "live" ? source.live : (keys[source.index] as number);
  if (source.change) changeJob(core, key, source.change, now);
  else markJoined(core, key);
  return key;
}

function insertOne(core: Core, stored: StoredJob, tenant: number, now: number): number {
  if (stored.job.completed) return insertCompleted(core, stored, tenant, now);
  return insertJobs(core, [stored], tenant, now)[0] as number;
}
