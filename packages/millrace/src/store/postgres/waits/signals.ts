// A signal is a value for one job, kept until a wait of its name takes it. A signal and a suspension meet on the lock of the
// job's row, so neither misses the other.

import { signalRefusal } from "../../decide/signals.ts";
import type { QueuedSignal } from "../../decide/waits.ts";
import { keptSignalOf, type SignalRow } from "../../rows/wait-rows.ts";
import type { Submission } from "../../verbs/submission.ts";
import type { KeptSignal, NewSignal, SignalAnswer, SignalTarget } from "../../verbs/waits.ts";
import { ANSWERED, HAS_SIGNALS, QUEUED, TAKEN } from "../../waits/codes.ts";
import { NOW } from "../connection/clock.ts";
import type { PipelinedTransaction } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { submitAnd } from "../submit/submit.ts";
import { allQueuedSignals, answersFor, openWaits, wake, writeAnswer } from "./waits.ts";

const LOCK_LIVE = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = $2 FOR UPDATE`;
const ENDED = "SELECT standing FROM millrace.finished WHERE id = $1";
const OF_KEY = `SELECT id FROM millrace.signal WHERE job = $1 AND key = $2
  UNION ALL SELECT id FROM millrace.signal_caller WHERE job = $1 AND key = $2`;
const COUNT = `SELECT count(*)::int AS count FROM millrace.signal WHERE job = $1 AND state = ${QUEUED}`;
const ADD = "INSERT INTO millrace.signal (job, name, value, at, sent_by, key) VALUES ($1, $2, $3, $4, $5, $6)";
/** The signal answers a wait at once. */
const ADD_AND_ANSWER = `WITH added AS (
    INSERT INTO millrace.signal (job, name, value, at, sent_by, key, state)
    VALUES ($1, $2, $3, $4, $5, $6, ${TAKEN})
    RETURNING id, value, at
  )
  UPDATE millrace.wait
  SET state = ${ANSWERED}, value = added.value, answered_at = added.at, source = added.id
  FROM added
  WHERE wait.id = $7`;
const ADD_FLAG = `UPDATE millrace.job SET flags = flags | ${HAS_SIGNALS} WHERE id = $1`;
const OF_UNIQUE_KEY = `SELECT unique_key.job
  FROM millrace.unique_key
  JOIN millrace.kind ON kind.id = unique_key.kind
  JOIN millrace.tenant ON tenant.id = unique_key.tenant
  WHERE kind.name = $1 AND tenant.name = $2 AND unique_key.key = $3`;
// A signal that is not delivered yet comes last.
const OF_JOB = `SELECT name, value, at, sent_by AS by, state, reason
  FROM (
    SELECT false AS is_late, id, name, value, at, sent_by, state, reason FROM millrace.signal WHERE job = $1
    UNION ALL
    SELECT true, id, name, value, at, sent_by, ${QUEUED}, NULL FROM millrace.signal_caller WHERE job = $1
  ) AS sent
  ORDER BY is_late, id`;

/** A live job by its unique key can end, and another take the key, between the look and the lock. */
const TRIES = 5;

export async function signal(core: Core, sent: NewSignal): Promise<SignalAnswer> {
  const { target } = sent;
  for (let left = TRIES; ; left--) {
    const job = "jobId" in target ? core.ids.decode(target.jobId) : await jobOfKey(core, target);
    const answer =
      job !== undefined || "jobId" in target || !target.orSubmit
        ? await core.connections.write.transact((tx) => send(core, tx, job ?? -1, sent))
        : await submitAndSend(core, target.orSubmit, sent);
    // The job has ended, or another submission with the key has committed, since the look.
    if ((answer.type === "finished" || answer.type === "taken") && !("jobId" in target) && left > 1) continue;
    if (answer.type === "kept") core.voice.say("work");
    return answer.type === "taken" ? answer.refusal : answer;
  }
}

async function jobOfKey(core: Core, { kind, tenant, uniqueKey }: KeyTarget): Promise<number | undefined> {
  const values = [kind, tenant, uniqueKey];
  const [known] = await core.connections.write.run<{ job: number }>(OF_UNIQUE_KEY, values);
  return known?.job;
}

type KeyTarget = Exclude<SignalTarget, { jobId: string }>;
/** Another job has the unique key by now. */
type KeyTaken = { type: "taken"; refusal: SignalAnswer };

/** The job and its signal are one commit. */
async function submitAndSend(core: Core, orSubmit: Submission, sent: NewSignal): Promise<SignalAnswer | KeyTaken> {
  return submitAnd(core, orSubmit, async (tx, submitted): Promise<SignalAnswer | KeyTaken> => {
    if (submitted.type === "refused") {
      const { code, message, retryAfterMs } = submitted;
      const refusal = { type: "refused" as const, code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
      return submitted.jobId === undefined ? refusal : { type: "taken", refusal };
    }
    const answer = await send(core, tx, core.ids.decode(submitted.jobIds[0] ?? "") ?? -1, sent);
    const isNew = submitted.type === "accepted" && !submitted.joined?.includes(0);
    return answer.type === "kept" && isNew ? { ...answer, submitted: true } : answer;
  });
}

/** Two round trips: everything that is read, and then what is written with the commit. */
async function send(core: Core, tx: PipelinedTransaction, job: number, sent: NewSignal): Promise<SignalAnswer> {
  const jobId = core.ids.encode(job);
  // The statements behind the lock see what was committed before it was granted.
  const [[row], known, [count], waits, queued] = await Promise.all([
    tx.run<LockedRow>(LOCK_LIVE, [core.clock.given, job]),
    sent.key === undefined ? [] : tx.run(OF_KEY, [job, sent.key]),
    tx.run<{ count: number }>(COUNT, [job]),
    openWaits(tx, job),
    allQueuedSignals(tx, job),
  ]);
  if (known.length > 0) return { type: "kept", jobId, repeated: true };
  if (!row) {
    const [ended] = await tx.run<{ standing: number }>(ENDED, [job]);
    return ended
      ? (signalRefusal({ jobId, standing: ended.standing, queued: 0 }) as SignalAnswer)
      : { type: "not-found" };
  }
  const refusal = signalRefusal({ jobId, standing: row.standing, queued: count?.count ?? 0 });
  if (refusal) return refusal;
  const own: QueuedSignal = { id: UNSTORED, name: sent.name, value: sent.value };
  const answers = await answersFor(tx, row, waits, [...queued, own]);
  const answered = answers.find((each) => each.type === "signal" && each.source === UNSTORED);
  const signal = [job, sent.name, sent.value, row.now, sent.by ?? null, sent.key ?? null];
  tx.withCommit(
    Promise.all([
      answered ? tx.run(ADD_AND_ANSWER, [...signal, answered.wait]) : tx.run(ADD, signal),
      ...answers.filter((each) => each !== answered).flatMap((each) => writeAnswer(tx, each, row.now)),
      ...(row.flags & HAS_SIGNALS ? [] : [tx.run(ADD_FLAG, [job])]),
      ...(answers.length > 0 ? [wake(tx, row)] : []),
    ]),
  );
  return { type: "kept", jobId };
}

/** The signal has no id before it is stored. */
const UNSTORED = -1;

export async function signals(core: Core, jobId: string): Promise<KeptSignal[]> {
  const rows = await core.connections.read.run<SignalRow>(OF_JOB, [core.ids.decode(jobId) ?? -1]);
  return rows.map(keptSignalOf);
}
