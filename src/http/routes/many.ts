import type { z } from "zod";
import { dlqRoutes } from "../../api/dead-letters.ts";
import { jobRoutes } from "../../api/job.ts";
import type { Standing } from "../../job/job.ts";
import { AppError } from "../../lib/app-error.ts";
import type { DeadLetterGroup, JobFilter } from "../../store/store.ts";
import { type Bound, bind } from "../bind.ts";
import { type Caller, sees } from "../caller.ts";
import type { Engine } from "../engine.ts";
import { filterOf } from "../filter.ts";

/** What one request may touch; more is done by asking again. */
const MOST_AT_ONCE = 10_000;
const MOST_IDS_SHOWN = 1_000;

const UNFINISHED: Standing[] = ["scheduled", "ready", "suspect", "held", "running"];
const REVIVABLE: Standing[] = ["failed", "rejected", "cancelled"];

type DlqFilter = z.output<NonNullable<typeof dlqRoutes.list.query>>;

/** Acts on many jobs by ids or filter; `dryRun` counts and touches nothing. */
export function manyHandlers(engine: Engine): Bound[] {
  return [
    bind(jobRoutes.cancelMany, async ({ body, caller }) => {
      const filter = body.filter && { ...filterOf(body.filter, caller), standings: UNFINISHED };
      const jobIds = await targets(engine, body.ids, filter, caller);
      if (body.dryRun) return { body: counted(jobIds) };
      const changed = await engine.cancelMany(jobIds, body.reason);
      await audited(engine, caller, "jobs cancelled", changed);
      return { body: done(jobIds, changed) };
    }),

    bind(jobRoutes.retryMany, async ({ body, caller }) => {
      const filter = body.filter && { ...filterOf(body.filter, caller), standings: REVIVABLE };
      const jobIds = await targets(engine, body.ids, filter, caller);
      if (body.dryRun) return { body: counted(jobIds) };
      const revived = await reviveAll(engine, jobIds, {});
      await audited(engine, caller, "jobs revived", revived);
      return { body: done(jobIds, revived) };
    }),

    bind(dlqRoutes.list, async ({ query, caller }) => {
      const { limit = 50, offset = 0 } = query;
      const filter = dlqFilterOf(query, caller);
      const { jobs, total } = await engine.admin.deadLetters(filter, { limit, offset });
      const items = jobs.map((job) => ({
        jobId: job.jobId,
        kind: job.kind,
        stage: job.stage,
        payload: job.payload,
        retries: job.retries,
        lastError: job.lastError ?? "",
        failedAt: job.completedAt ?? job.updatedAt,
        tenant: job.tenant,
      }));
      const groups =
        query.group === "error" ? { groups: (await engine.admin.deadLetterGroups(filter)).map(groupView) } : {};
      return { body: { items, ...groups, total, limit, offset } };
    }),

    bind(dlqRoutes.revive, async ({ body, caller }) => {
      const filter = body.filter && { ...dlqFilterOf(body.filter, caller), standings: ["failed" as const] };
      const jobIds = await targets(engine, body.ids, filter, caller);
      if (body.dryRun) return { body: counted(jobIds) };
      const { perSecond, from } = body;
      const everyMs = perSecond === undefined ? 0 : 1_000 / perSecond;
      const revived = await reviveAll(engine, jobIds, { everyMs, ...(from && { from }) });
      await audited(engine, caller, "dead letters revived", revived);
      return { body: done(jobIds, revived) };
    }),

    bind(dlqRoutes.discard, async ({ query, caller }) => {
      const { dryRun, all, ...asked } = query;
      if (Object.keys(asked).length === 0 && !all) {
        throw new AppError("invalid-request", "Without a filter this would discard every dead letter.", {
          hint: "Add all=true to say so, or a filter.",
        });
      }
      const filter = { ...dlqFilterOf(asked, caller), standings: ["failed" as const] };
      const jobIds = await targets(engine, undefined, filter, caller);
      if (dryRun) return { body: counted(jobIds) };
      const discarded = await engine.forgetMany(jobIds);
      await audited(engine, caller, "dead letters discarded", discarded);
      return { body: done(jobIds, discarded) };
    }),
  ];
}

function dlqFilterOf(asked: Partial<DlqFilter>, caller: Caller): JobFilter {
  const { code, error } = asked;
  return {
    ...filterOf(asked, caller),
    ...(code !== undefined && { failureCode: code }),
    ...(error !== undefined && { failureMessage: error }),
  };
}

/** Ids of other tenants are passed over in silence, as if they were not there. */
async function targets(
  engine: Engine,
  ids: string[] | undefined,
  filter: JobFilter | undefined,
  caller: Caller,
): Promise<string[]> {
  if (filter) return engine.admin.matching(filter, MOST_AT_ONCE);
  const found = await Promise.all([...new Set(ids)].map((id) => engine.find(id)));
  return found
    .filter((job) => job !== undefined && sees(caller, job.tenant))
    .map((job) => (job as { jobId: string }).jobId);
}

async function reviveAll(
  engine: Engine,
  jobIds: string[],
  { everyMs = 0, from }: { everyMs?: number; from?: "failed-stage" | "start" },
): Promise<string[]> {
  const revived: string[] = [];
  for (const [i, jobId] of jobIds.entries()) {
    try {
      const delayMs = Math.round(i * everyMs);
      const { id } = await engine.revive(jobId, { ...(from && { from }), ...(delayMs > 0 && { delayMs }) });
      revived.push(id);
    } catch (error) {
      // Revived, deleted or taken by another meanwhile: the rest is still to be done.
      if (!(error instanceof AppError) || !PASSED_OVER.has(error.code)) throw error;
    }
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

function groupView({ message, firstAt, lastAt, ...group }: DeadLetterGroup) {
  return {
    ...group,
    lastError: message,
    firstAt: new Date(firstAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
  };
}

function counted(jobIds: string[]) {
  return { matched: jobIds.length, changed: 0, dryRun: true, jobIds: [] };
}

function done(jobIds: string[], changed: string[]) {
  return { matched: jobIds.length, changed: changed.length, dryRun: false, jobIds: changed.slice(0, MOST_IDS_SHOWN) };
}

async function audited(engine: Engine, caller: Caller, what: string, jobIds: string[]): Promise<void> {
  if (jobIds.length > 0)
    await engine.admin.audit(caller.name, what, { target: `${jobIds.length} jobs`, tenant: caller.tenant });
}
