import { decideOn } from "../../decide/approvals.ts";
import { type ApprovalRow, openApprovalOf } from "../../rows/wait-rows.ts";
import type { ApprovalFilter, DecideAnswer, Decision, OpenApproval } from "../../verbs/waits.ts";
import { waitOfApproval } from "../../waits/approval-ids.ts";
import { ANSWERED, OPEN } from "../../waits/codes.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { wake } from "./waits.ts";

const COLUMNS = `wait.id, wait.job, job.stage, tenant.name AS tenant, wait.name, wait.details, wait.since, wait.until, wait.state,
  ${NOW} AS now`;
const FROM = `FROM millrace.wait
  JOIN millrace.every_job AS job ON job.id = wait.job
  JOIN millrace.tenant ON tenant.id = wait.tenant`;
const FIND = `SELECT ${COLUMNS} ${FROM}
  WHERE wait.id = $2 AND wait.type = 'approval'`;
const OF_ALL = `SELECT ${COLUMNS} ${FROM}
  WHERE wait.type = 'approval' AND wait.state = ${OPEN} AND wait.id > $2
  ORDER BY wait.id
  LIMIT $3`;
const OF_TENANT = `SELECT ${COLUMNS} ${FROM}
  WHERE wait.type = 'approval' AND wait.state = ${OPEN} AND wait.id > $2 AND wait.tenant = $4
  ORDER BY wait.id
  LIMIT $3`;
const OF_JOB = `SELECT ${COLUMNS} ${FROM}
  WHERE wait.type = 'approval' AND wait.state = ${OPEN} AND wait.id > $2 AND wait.job = $4
  ORDER BY wait.id
  LIMIT $3`;
const LOCK_JOB = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = $2 FOR UPDATE`;
const FACTS = "SELECT state, until, details FROM millrace.wait WHERE id = $1";
const ANSWER = `UPDATE millrace.wait SET state = ${ANSWERED}, value = $2, answered_at = $3 WHERE id = $1`;

interface NamedApproval extends ApprovalRow {
  tenant: string;
  now: number;
}

export async function decideApproval(core: Core, decision: Decision): Promise<DecideAnswer> {
  const approval = await read(core, decision.approval);
  if (!approval || (decision.tenant !== undefined && decision.tenant !== approval.tenant)) return { type: "not-found" };
  const decided = await core.connections.write.transact(async (tx): Promise<DecideAnswer> => {
    const [row] = await tx.run<LockedRow>(LOCK_JOB, [core.clock.given, approval.job]);
    // Of two decisions, the second one waits for the lock and then finds the approval decided.
    const [facts] = await tx.run<{ state: number; until: number | null; details: string }>(FACTS, [approval.id]);
    if (!facts) return { type: "not-found" };
    const verdict = decideOn(facts, decision, row?.now ?? approval.now);
    if (verdict.type !== "answer") return verdict;
    if (!row) return { type: "conflict", message: "The job has ended." };
    await tx.run(ANSWER, [approval.id, verdict.value, row.now]);
    await wake(tx, row);
    return { type: "decided", jobId: core.ids.encode(row.id), name: approval.name, tenant: approval.tenant };
  });
  if (decided.type === "decided") core.voice.say("work");
  return decided;
}

export async function approvals(
  core: Core,
  { tenant, jobId, afterId, limit }: ApprovalFilter,
): Promise<OpenApproval[]> {
  const after = afterId === undefined ? 0 : (waitOfApproval(core.ids, afterId) ?? 0);
  const page = [core.clock.given, after, limit];
  const rows = await rowsOf(core, { tenant, jobId, page });
  const wanted = rows.filter((row) => tenant === undefined || row.tenant === tenant);
  await core.names.knowStages(wanted.map(({ stage }) => stage));
  return wanted.map((row) => viewOf(core, row));
}

export async function findApproval(core: Core, id: string): Promise<OpenApproval | undefined> {
  const row = await read(core, id);
  if (row) await core.names.knowStages([row.stage]);
  return row && viewOf(core, row);
}

async function rowsOf(
  core: Core,
  { tenant, jobId, page }: { tenant: string | undefined; jobId: string | undefined; page: (number | null)[] },
): Promise<NamedApproval[]> {
  const { read: db } = core.connections;
  if (jobId !== undefined) return db.run<NamedApproval>(OF_JOB, [...page, core.ids.decode(jobId) ?? -1]);
  if (tenant === undefined) return db.run<NamedApproval>(OF_ALL, page);
  return db.run<NamedApproval>(OF_TENANT, [...page, (await core.names.findTenant(tenant)) ?? -1]);
}

async function read(core: Core, id: string): Promise<NamedApproval | undefined> {
  const wait = waitOfApproval(core.ids, id) ?? -1;
  const [row] = await core.connections.write.run<NamedApproval>(FIND, [core.clock.given, wait]);
  return row;
}

function viewOf(core: Core, row: NamedApproval): OpenApproval {
  const kind = core.names.stage(row.stage).kindName;
  return openApprovalOf(row, { ids: core.ids, kind, tenant: row.tenant, now: row.now });
}
