// A signal in a transaction of the caller's. The transaction locks no row of a live job: the signal is a row of its own, and after the
// commit deliver-signals.ts hands it to the job. The job is looked up outside of the transaction, where the truth of this moment is.
// Only a job that the same transaction has submitted is found inside of it.

import { AppError } from "../../../lib/app-error.ts";
import { signalRefusal } from "../../decide/signals.ts";
import type { CallerTransaction } from "../../verbs/caller-transaction.ts";
import type { Submission } from "../../verbs/submission.ts";
import type { NewSignal, SignalAnswer } from "../../verbs/waits.ts";
import { HAS_SIGNALS, QUEUED } from "../../waits/codes.ts";
import { CallerRunner } from "../connection/caller-runner.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";
import { checkCaller, noTransaction, otherDatabase, rightsFor, SIGNAL_RIGHTS } from "../submit/check-caller.ts";
import { submitChecked } from "../submit/submit-within.ts";

// One statement, so one snapshot: a job that ends meanwhile is found in one of the two tables.
const LOOK_OUTSIDE = `SELECT
    (SELECT standing FROM millrace.job WHERE id = $1::bigint) AS live,
    (SELECT standing FROM millrace.finished WHERE id = $1::bigint) AS ended,
    (SELECT count(*)::int FROM millrace.signal WHERE job = $1::bigint AND state = ${QUEUED}) AS queued,
    EXISTS (SELECT 1 FROM millrace.signal WHERE job = $1::bigint AND key = $2::text)
      OR EXISTS (SELECT 1 FROM millrace.signal_caller WHERE job = $1::bigint AND key = $2::text) AS "isUsed"`;
const KEY_OUTSIDE = `SELECT kind.id AS kind, tenant.id AS tenant,
    (SELECT job FROM millrace.unique_key
      WHERE unique_key.kind = kind.id AND unique_key.tenant = tenant.id AND unique_key.key = $3::text) AS job
  FROM millrace.kind, millrace.tenant
  WHERE kind.name = $1::text AND tenant.name = $2::text`;
// $1 the number of the transaction, $2 the secret of the store, $3 a job, $4 kind, $5 tenant and $6 unique key, $7 the key of the signal.
const LOOK_INSIDE = `WITH found AS MATERIALIZED (
    SELECT coalesce(
      (SELECT id FROM millrace.job WHERE id = $3::bigint),
      (SELECT job FROM millrace.unique_key WHERE kind = $4::int AND tenant = $5::int AND key = $6::text)
    ) AS job
  )
  SELECT json_build_object(
    'isSameTransaction', pg_current_xact_id()::text = $1::text,
    'isSameStore', coalesce((SELECT value FROM millrace.meta WHERE name = 'id_secret') = $2::text, false),
    'job', job,
    'undelivered', (SELECT count(*) FROM millrace.signal_caller WHERE job = coalesce(found.job, $3::bigint)),
    'isUsed', EXISTS (SELECT 1 FROM millrace.signal_caller WHERE job = coalesce(found.job, $3::bigint) AND key = $7::text)
      OR EXISTS (SELECT 1 FROM millrace.signal WHERE job = coalesce(found.job, $3::bigint) AND key = $7::text)
  )::text AS answer FROM found`;
// Nothing is inserted in another transaction than the one that was checked.
const ADD = `WITH put AS (
    INSERT INTO millrace.signal_caller (job, name, value, at, sent_by, key)
    SELECT $2::bigint, $3::text, $4::text, ${NOW}, $5::text, $6::text WHERE pg_current_xact_id()::text = $7::text
    RETURNING id
  )
  SELECT count(*)::text AS answer FROM put`;
/** A signal for a job of the same transaction is stored with the job from its start. */
const ADD_TO_NEW = ADD.replace("millrace.signal_caller", "millrace.signal");

/** Between two looks a job can end, and another one take its unique key. */
const TRIES = 5;

export async function signalWithin(core: Core, caller: CallerTransaction, sent: NewSignal): Promise<SignalAnswer> {
  const tx = new CallerRunner(caller, core.connections.target);
  const orSubmit = "jobId" in sent.target ? undefined : sent.target.orSubmit;
  const rights = orSubmit ? { ...SIGNAL_RIGHTS, ...rightsFor(orSubmit) } : SIGNAL_RIGHTS;
  const transaction = await checkCaller(core, tx, rights);
  const given: CheckedSignal = { transaction, sent };
  for (let left = TRIES; left > 0; left--) {
    const { job, outside, inside } = await look(core, tx, given);
    if (job !== undefined && (outside.live !== null || outside.ended === null)) {
      const jobId = core.ids.encode(job);
      if (outside.isUsed || inside.isUsed) return { type: "kept", jobId, repeated: true };
      const queued = outside.queued + inside.undelivered;
      const refusal = signalRefusal({ jobId, standing: outside.live ?? 0, queued });
      return refusal ?? (await add(tx, core, ADD, job, given));
    }
    if (job !== undefined && "jobId" in sent.target) return endedAnswer(core, job, outside);
    // The transaction sees an ended job with the unique key.
    if (job !== undefined) continue;
    if (orSubmit === undefined) return { type: "not-found" };
    const answer = await submitAndSend(core, tx, orSubmit, given);
    if (answer !== "taken") return answer;
  }
  throw new AppError("transaction-conflict", "The job with the unique key ended after your transaction began.", {
    hint: "Roll back and run the whole transaction again.",
    details: { retryable: true },
  });
}

interface CheckedSignal {
  transaction: string;
  sent: NewSignal;
}

interface OutsideLook {
  live: number | null;
  ended: number | null;
  queued: number;
  isUsed: boolean;
}

interface InsideLook {
  isSameTransaction: boolean;
  isSameStore: boolean;
  job: number | null;
  undelivered: number;
  isUsed: boolean;
}

/** Looks up the job, outside of the transaction and in it. `job` is undefined if neither knows it. */
async function look(
  core: Core,
  tx: CallerRunner,
  { transaction, sent: { target, key } }: CheckedSignal,
): Promise<{ job: number | undefined; outside: OutsideLook; inside: InsideLook }> {
  const { write } = core.connections;
  const named =
    "jobId" in target
      ? { kind: null, tenant: null, job: core.ids.decode(target.jobId) ?? -1 }
      : ((
          await write.run<{ kind: number; tenant: number; job: number | null }>(KEY_OUTSIDE, [
            target.kind,
            target.tenant,
            target.uniqueKey,
          ])
        )[0] ?? { kind: null, tenant: null, job: null });
  const uniqueKey = "jobId" in target || named.job !== null ? null : target.uniqueKey;
  const values = [transaction, core.idSecret, named.job, named.kind, named.tenant, uniqueKey, key ?? null];
  const inside = (await tx.ask<InsideLook>(LOOK_INSIDE, values)) as InsideLook;
  if (!inside.isSameTransaction) throw noTransaction();
  if (!inside.isSameStore) throw otherDatabase(undefined, core.connections.target.schema);
  const job = named.job ?? inside.job ?? undefined;
  const [outside] = await write.run<OutsideLook>(LOOK_OUTSIDE, [job ?? -1, key ?? null]);
  const { live, ended } = outside as OutsideLook;
  const isKnown = live !== null || ended !== null || inside.job !== null;
  return { job: isKnown ? job : undefined, outside: outside as OutsideLook, inside };
}

function endedAnswer(core: Core, job: number, { ended }: OutsideLook): SignalAnswer {
  return signalRefusal({ jobId: core.ids.encode(job), standing: ended as number, queued: 0 }) as SignalAnswer;
}

/** "taken": another transaction has committed a job with the key since the look. */
async function submitAndSend(
  core: Core,
  tx: CallerRunner,
  submission: Submission,
  given: CheckedSignal,
): Promise<SignalAnswer | "taken"> {
  const { transaction } = given;
  const submitted = await submitChecked(core, tx, { transaction, submission, flags: HAS_SIGNALS });
  if (submitted.type === "refused") {
    const { code, message, retryAfterMs } = submitted;
    if (submitted.jobId !== undefined) return "taken";
    return { type: "refused", code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  const job = core.ids.decode(submitted.jobIds[0] ?? "") ?? -1;
  if (submitted.type === "replayed" || submitted.joined?.includes(0)) return add(tx, core, ADD, job, given);
  const answer = await add(tx, core, ADD_TO_NEW, job, given);
  return answer.type === "kept" ? { ...answer, submitted: true } : answer;
}

async function add(
  tx: CallerRunner,
  core: Core,
  statement: string,
  job: number,
  { transaction, sent: { name, value, by, key } }: CheckedSignal,
): Promise<SignalAnswer> {
  const values = [core.clock.given, job, name, value, by ?? null, key ?? null, transaction];
  const count = await tx.ask<number>(statement, values);
  if (count !== 1) throw noTransaction();
  return { type: "kept", jobId: core.ids.encode(job) };
}
