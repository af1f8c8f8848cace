// A signal is a value for one job. It is kept until a wait of its name takes it, whether it comes before, during or after
// the moment at which that wait begins.

import { signalRefusal } from "../../decide/signals.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { keptSignalOf, type SignalRow } from "../../rows/wait-rows.ts";
import type { KeptSignal, NewSignal, SignalAnswer } from "../../verbs/waits.ts";
import { HAS_SIGNALS, QUEUED } from "../../waits/codes.ts";
import type { Core, ReadView } from "../core.ts";
import { findRow } from "../read/row.ts";
import { submit } from "../submit/submit.ts";
import { answerOpen, wake } from "./waits.ts";

const OF_KEY = "SELECT id FROM signal WHERE job = ? AND key = ?";
const COUNT = `SELECT count(*) AS count FROM signal WHERE job = ? AND state = ${QUEUED}`;
const ADD = "INSERT INTO signal (job, name, value, at, sent_by, key) VALUES (?, ?, ?, ?, ?, ?)";
const ADD_FLAG = `UPDATE job SET flags = flags | ${HAS_SIGNALS} WHERE id = ?`;
const OF_UNIQUE_KEY = `SELECT unique_key.job FROM unique_key JOIN kind ON kind.id = unique_key.kind
    JOIN tenant ON tenant.id = unique_key.tenant
  WHERE kind.name = ? AND tenant.name = ? AND unique_key.key = ?`;
const OF_JOB = "SELECT name, value, at, sent_by AS by, state, reason FROM signal WHERE job = ? ORDER BY id";

export function signal(core: Core, sent: NewSignal): SignalAnswer {
  const found = targetOf(core, sent);
  if (!("row" in found)) return found;
  const { row, submitted } = found;
  const jobId = core.ids.encode(row.id);
  const answer: SignalAnswer = { type: "kept", jobId, ...(submitted && { submitted }) };
  if (sent.key !== undefined && core.statement(OF_KEY).get(row.id, sent.key)) return { ...answer, repeated: true };
  const queued = row.flags & HAS_SIGNALS ? (core.statement(COUNT).get(row.id) as { count: number }).count : 0;
  const refusal = signalRefusal({ jobId, standing: row.standing, queued });
  if (refusal) return refusal;
  const now = core.clock.now();
  core.statement(ADD).run(row.id, sent.name, sent.value, now, sent.by ?? null, sent.key ?? null);
  if (!(row.flags & HAS_SIGNALS)) core.statement(ADD_FLAG).run(row.id);
  if (answerOpen(core, { ...row, flags: row.flags | HAS_SIGNALS }, now)) wake(core, row, now);
  return answer;
}

type SignalledJob = { row: JobRow; submitted?: true } | Exclude<SignalAnswer, { type: "kept" }>;

function targetOf(core: Core, { target }: NewSignal): SignalledJob {
  if ("jobId" in target) {
    const row = findRow(core, core.ids.decode(target.jobId) ?? -1);
    return row ? { row } : { type: "not-found" };
  }
  const { kind, tenant, uniqueKey, orSubmit } = target;
  const known = core.statement(OF_UNIQUE_KEY).get(kind, tenant, uniqueKey) as { job: number } | undefined;
  if (known) return { row: findRow(core, known.job) as JobRow };
  if (!orSubmit) return { type: "not-found" };
  const [answer] = submit(core, [orSubmit]);
  if (answer?.type === "refused") {
    const { code, message, retryAfterMs } = answer;
    return { type: "refused", code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  const row = findRow(core, core.ids.decode(answer?.jobIds[0] ?? "") ?? -1);
  return row ? { row, submitted: true } : { type: "not-found" };
}

export function signals(view: ReadView, jobId: string): KeptSignal[] {
  const rows = view.statement(OF_JOB).all(view.ids.decode(jobId) ?? -1) as unknown as SignalRow[];
  return rows.map(keptSignalOf);
}
