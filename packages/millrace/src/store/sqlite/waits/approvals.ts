import { decideOn } from "../../decide/approvals.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { type ApprovalRow, openApprovalOf } from "../../rows/wait-rows.ts";
import type { ApprovalFilter, DecideAnswer, Decision, OpenApproval } from "../../verbs/waits.ts";
import { waitOfApproval } from "../../waits/approval-ids.ts";
import { ANSWERED, OPEN } from "../../waits/codes.ts";
import type { Core, ReadView } from "../core.ts";
import { findRow } from "../read/row.ts";
import { wake } from "./waits.ts";

const COLUMNS = `wait.id, wait.job, job.stage, job.tenant, wait.name, wait.details, wait.since, wait.until, wait.state`;
const FIND = `SELECT ${COLUMNS} FROM wait JOIN job ON job.id = wait.job WHERE wait.id = ? AND wait.type = 'approval'`;
const OF_ALL = `SELECT ${COLUMNS} FROM wait JOIN job ON job.id = wait.job
  WHERE wait.type = 'approval' AND wait.state = ${OPEN} AND wait.id > ? ORDER BY wait.id LIMIT ?`;
const OF_TENANT = `SELECT ${COLUMNS} FROM wait JOIN job ON job.id = wait.job
  WHERE wait.type = 'approval' AND wait.state = ${OPEN} AND wait.tenant = ? AND wait.id > ? ORDER BY wait.id LIMIT ?`;
const OF_JOB = `SELECT ${COLUMNS} FROM wait JOIN job ON job.id = wait.job
  WHERE wait.type = 'approval' AND wait.state = ${OPEN} AND wait.job = ? AND wait.id > ? ORDER BY wait.id LIMIT ?`;
const ANSWER = `UPDATE wait SET state = ${ANSWERED}, value = ?, answered_at = ? WHERE id = ?`;

interface NamedApproval extends ApprovalRow {
  tenant: number;
}

export function decideApproval(core: Core, decision: Decision): DecideAnswer {
  const approval = read(core, decision.approval);
  if (!approval) return { type: "not-found" };
  const tenant = core.names.tenantName(approval.tenant);
  if (decision.tenant !== undefined && decision.tenant !== tenant) return { type: "not-found" };
  const now = core.clock.now();
  const verdict = decideOn(approval, decision, now);
  if (verdict.type !== "answer") return verdict;
  core.statement(ANSWER).run(verdict.value, now, approval.id);
  wake(core, findRow(core, approval.job) as JobRow, now);
  return { type: "decided", jobId: core.ids.encode(approval.job), name: approval.name, tenant };
}

export function approvals(view: ReadView, { tenant, jobId, afterId, limit }: ApprovalFilter): OpenApproval[] {
  const after = afterId === undefined ? 0 : (waitOfApproval(view.ids, afterId) ?? 0);
  return rowsOf(view, { tenant, jobId, after, limit })
    .filter((row) => tenant === undefined || view.names.tenantName(row.tenant) === tenant)
    .map((row) => viewOf(view, row));
}

export function findApproval(view: ReadView, id: string): OpenApproval | undefined {
  const row = read(view, id);
  return row && viewOf(view, row);
}

function rowsOf(
  view: ReadView,
  {
    tenant,
    jobId,
    after,
    limit,
  }: { tenant: string | undefined; jobId: string | undefined; after: number; limit: number },
): NamedApproval[] {
  const all = (sql: string, ...values: number[]) =>
    view.statement(sql).all(...values, after, limit) as unknown as NamedApproval[];
  if (jobId !== undefined) return all(OF_JOB, view.ids.decode(jobId) ?? -1);
  return tenant === undefined ? all(OF_ALL) : all(OF_TENANT, view.names.findTenant(tenant) ?? -1);
}

function read(view: ReadView, id: string): NamedApproval | undefined {
  return view.statement(FIND).get(waitOfApproval(view.ids, id) ?? -1) as NamedApproval | undefined;
}

function viewOf(view: ReadView, row: NamedApproval): OpenApproval {
  const kind = view.names.stage(row.stage).kindName;
  const tenant = view.names.tenantName(row.tenant);
  return openApprovalOf(row, { ids: view.ids, kind, tenant, now: view.clock.now() });
}
