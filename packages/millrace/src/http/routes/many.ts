import { dlqRoutes } from "../../api/dead-letters.ts";
import { jobRoutes } from "../../api/job.ts";
import type { Standing } from "../../job/job.ts";
import type { JobView } from "../../job/report/view.ts";
import { AppError } from "../../lib/app-error.ts";
import type { JobFilter } from "../../store/verbs/job-filter.ts";
import type { OperationAsk } from "../../store/verbs/operations/operation-ask.ts";
import { audited } from "../auth/audit.ts";
import { type Caller, sees } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { jobFor } from "../redact.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { dlqFilterOf, filterOf } from "../request/filter.ts";
import { causesPage, groupsByError } from "./dead-letter-groups.ts";
import { auditOperation } from "./operations.ts";

/** For more jobs an operation does the work, because the request would outlast its time limit. */
const MOST_AT_ONCE = 1_000;
const MOST_IDS_SHOWN = 1_000;
const AT_A_TIME = 100;

const UNFINISHED: Standing[] = ["scheduled", "ready", "suspect", "held", "running"];
const DEAD: Standing[] = ["failed"];

/** Acts on many jobs by ids or filter. `dryRun` counts them and changes nothing. */
export function manyHandlers(engine: Engine): BoundRoute[] {
  return [
    bind(jobRoutes.cancelMany, async ({ body, caller, traceId }) => {
      const filter = body.filter && { ...filterOf(body.filter, caller), standings: UNFINISHED };
      const targets = { ids: body.ids, filter, which: isUnfinished };
      if (body.dryRun) return { body: await counted(engine, targets, caller) };
      const { reason } = body;
      const jobIds = await idsOf(engine, targets, caller);
      const ask = { action: "cancel", ...(reason !== undefined && { reason }) } as const;
      if (areMany(jobIds)) return operationFor(engine, { caller, traceId }, { ...ask, filter, shown: body.filter });
      const tenantOf = await tenantsOf(engine, jobIds, targets, caller);
      const changed = await engine.cancelMany(jobIds, reason);
      await auditMany(engine, { caller, traceId }, "jobs cancelled", changed, tenantOf);
      return { body: done(jobIds, changed) };
    }),

    bind(jobRoutes.retryMany, async ({ body, caller, traceId }) => {
      const filter = body.filter && { ...filterOf(body.filter, caller), revivable: true };
      const targets = { ids: body.ids, filter, which: isRevivable };
      if (body.dryRun) return { body: await counted(engine, targets, caller) };
      const jobIds = await idsOf(engine, targets, caller);
      const ask = { action: "retry", filter, shown: body.filter } as const;
      if (areMany(jobIds)) return operationFor(engine, { caller, traceId }, ask);
      const tenantOf = await tenantsOf(engine, jobIds, targets, caller);
      const revived = await reviveAll(engine, jobIds, {});
      await auditMany(engine, { caller, traceId }, "jobs revived", revived.map(formerId), tenantOf);
      return { body: done(jobIds, revived.map(newId)) };
    }),

    bind(dlqRoutes.list, async ({ query, caller }) => {
      const { limit = 50, offset = 0 } = query;
      if (query.group === "fingerprint") return { body: await causesPage(engine, query, caller) };
      const filter = dlqFilterOf(query, caller);
      const { jobs, total } = await engine.admin.deadLetters(filter, { limit, offset });
      const items = jobs
        .map((each) => jobFor(caller, each))
        .map((job) => ({
          jobId: job.jobId,
          kind: job.kind,
          stage: job.stage ?? "",
          payload: job.payload,
          retries: job.retries,
          lastError: job.lastError ?? "",
          failedAt: job.completedAt ?? job.updatedAt,
          tenant: job.tenant,
        }));
      const groups = query.group === "error" ? { groups: await groupsByError(engine, query, caller) } : {};
      return { body: { items, ...groups, total, limit, offset } };
    }),

    bind(dlqRoutes.revive, async ({ body, caller, traceId }) => {
      const filter = body.filter && { ...dlqFilterOf(body.filter, caller), standings: DEAD };
      const targets = { ids: body.ids, filter, which: isDeadLetter };
      if (body.dryRun) return { body: await counted(engine, targets, caller) };
      const jobIds = await idsOf(engine, targets, caller);
      const { perSecond, from } = body;
      const ask = { action: "revive", ...(from && { from }), ...(perSecond !== undefined && { perSecond }) } as const;
      if (areMany(jobIds)) return operationFor(engine, { caller, traceId }, { ...ask, filter, shown: body.filter });
      const everyMs = perSecond === undefined ? 0 : 1_000 / perSecond;
      const tenantOf = await tenantsOf(engine, jobIds, targets, caller);
      const revived = await reviveAll(engine, jobIds, { everyMs, ...(from && { from }) });
      await auditMany(engine, { caller, traceId }, "dead letters revived", revived.map(formerId), tenantOf);
      return { body: done(jobIds, revived.map(newId)) };
    }),

    bind(dlqRoutes.discard, async ({ query, caller, traceId }) => {
      const { dryRun, all, ids, ...asked } = query;
      if (ids === undefined && Object.keys(asked).length === 0 && !all) {
        throw new AppError("invalid-request", "This request has no filter and would discard every dead letter.", {
          hint: "Add ids or a filter. To discard all, add all=true.",
        });
      }
      const filter = ids === undefined ? { ...dlqFilterOf(asked, caller), standings: DEAD } : undefined;
      const targets = { ids, filter, which: isDeadLetter };
      if (dryRun) return { body: await counted(engine, targets, caller) };
      const jobIds = await idsOf(engine, targets, caller);
      const ask = { action: "delete", filter, shown: asked } as const;
      if (areMany(jobIds)) return operationFor(engine, { caller, traceId }, ask);
      const tenantOf = await tenantsOf(engine, jobIds, targets, caller);
      const discarded = await engine.forgetMany(jobIds);
      await auditMany(engine, { caller, traceId }, "dead letters discarded", discarded, tenantOf);
      return { body: done(jobIds, discarded) };
    }),
  ];
}

interface Targets {
  readonly ids: string[] | undefined;
  readonly filter: JobFilter | undefined;
  /** Chooses, of the jobs named by id, those that the act can be done to. */
  readonly which: (job: JobView) => boolean;
}

/** The ids of the jobs to act on. Ids of other tenants are passed over, as if they did not exist. */
async function idsOf(engine: Engine, { ids, filter, which }: Targets, caller: Caller): Promise<string[]> {
  if (filter) return engine.admin.matching(filter, MOST_AT_ONCE + 1);
  const found = await Promise.all([...new Set(ids)].map((id) => engine.find(id)));
  return found
    .filter((job) => job !== undefined)
    .filter((job) => sees(caller, job.tenant) && which(job))
    .map((job) => job.jobId);
}

function areMany(jobIds: readonly string[]): boolean {
  return jobIds.length > MOST_AT_ONCE;
}

interface ManyAsk extends Omit<OperationAsk, "by" | "shownFilter" | "filter"> {
  readonly filter: JobFilter | undefined;
  /** The filter as it was sent. */
  readonly shown: Readonly<Record<string, unknown>> | undefined;
}

/** Hands the rest to an operation. The answer has the shape of the direct act. */
async function operationFor(engine: Engine, act: { caller: Caller; traceId: string }, { shown = {}, ...ask }: ManyAsk) {
  const { filter = {} } = ask;
  const tenant = filter.tenant ?? (act.caller.tenant === "*" ? undefined : act.caller.tenant);
  const { operation, isNew } = await engine.admin.operations.start({
    ...ask,
    filter,
    shownFilter: shown,
    by: act.caller.name,
    ...(tenant !== undefined && { tenant }),
  });
  if (isNew) await auditOperation(engine, act, operation, "started");
  const { id, total } = operation;
  const body = { matched: total, changed: 0, dryRun: false, jobIds: [], ...(id !== null && { operation: { id } }) };
  return { status: 202, body };
}

/** How many jobs match, even if one request could not act on them all. */
async function counted(engine: Engine, targets: Targets, caller: Caller) {
  const { filter } = targets;
  const matched = filter ? await engine.count(filter) : (await idsOf(engine, targets, caller)).length;
  return { matched, changed: 0, dryRun: true, jobIds: [] };
}

function isUnfinished({ state }: JobView): boolean {
  return state === "pending" || state === "running";
}

function isRevivable({ state, retriedAs }: JobView): boolean {
  return (state === "failed" || state === "cancelled") && retriedAs === undefined;
}

function isDeadLetter({ state, retriedAs }: JobView): boolean {
  return state === "failed" && retriedAs === undefined;
}

interface RevivedPair {
  readonly jobId: string;
  readonly as: string;
}

const formerId = ({ jobId }: RevivedPair) => jobId;
const newId = ({ as }: RevivedPair) => as;

/** Revives a few jobs at a time, so that they share commits. */
async function reviveAll(
  engine: Engine,
  jobIds: string[],
  { everyMs = 0, from }: { everyMs?: number; from?: "failed-stage" | "start" },
): Promise<RevivedPair[]> {
  const revived: RevivedPair[] = [];
  const revive = async (jobId: string, i: number): Promise<RevivedPair | undefined> => {
    const delayMs = Math.round(i * everyMs);
    try {
      const { id } = await engine.revive(jobId, { ...(from && { from }), ...(delayMs > 0 && { delayMs }) });
      return { jobId, as: id };
    } catch (error) {
      // The job was revived, deleted or taken by another request meanwhile. The rest is still to be done.
      if (!(error instanceof AppError) || !PASSED_OVER.has(error.code)) throw error;
      return undefined;
    }
  };
  for (let i = 0; i < jobIds.length; i += AT_A_TIME) {
    const some = await Promise.all(jobIds.slice(i, i + AT_A_TIME).map((jobId, k) => revive(jobId, i + k)));
    revived.push(...some.filter((each) => each !== undefined));
  }
  return revived;
}

const PASSED_OVER = new Set([
  "conflict",
  "job-not-found",
  "already-queued",
  "already-processing",
  "in-other-stage",
  "invalid-request",
]);

function done(jobIds: string[], changed: string[]) {
  return { matched: jobIds.length, changed: changed.length, dryRun: false, jobIds: changed.slice(0, MOST_IDS_SHOWN) };
}

/** The tenants of these jobs. Read them before the act, because afterwards the jobs may be gone. */
async function tenantsOf(
  engine: Engine,
  jobIds: string[],
  { filter }: Targets,
  caller: Caller,
): Promise<(jobId: string) => string | undefined> {
  const one = filter?.tenant ?? caller.tenant;
  if (one !== "*") return () => one;
  const tenants = new Map<string, string>();
  for (let i = 0; i < jobIds.length; i += AT_A_TIME) {
    const jobs = await Promise.all(jobIds.slice(i, i + AT_A_TIME).map((jobId) => engine.find(jobId)));
    for (const job of jobs) if (job) tenants.set(job.jobId, job.tenant);
  }
  return (jobId) => tenants.get(jobId);
}

/** Adds one entry for each tenant of the jobs, so that its own administrator finds it. */
async function auditMany(
  engine: Engine,
  act: { caller: Caller; traceId: string },
  what: string,
  jobIds: string[],
  tenantOf: (jobId: string) => string | undefined,
): Promise<void> {
  const byTenant = Map.groupBy(jobIds, tenantOf);
  for (const [tenant, ids] of byTenant) {
    const target = ids.length === 1 ? (ids[0] as string) : `${ids.length} jobs`;
    await audited(engine, act, what, { target, ...(tenant !== undefined && { tenant }) });
  }
}
