import { operationRoutes } from "../../api/many/operations.ts";
import type { OperationView } from "../../job/report/operation-view.ts";
import { AppError } from "../../lib/app-error.ts";
import type { OperationAsk } from "../../store/verbs/operations/operation-ask.ts";
import { audited } from "../auth/audit.ts";
import { type Caller, sees } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { dlqFilterOf } from "../request/filter.ts";
import { idempotencyOf } from "../request/idempotency.ts";

const PAGE = 50;

/** Acts on many jobs that go on by themselves. */
export function operationHandlers(engine: Engine): BoundRoute[] {
  const { operations } = engine.admin;
  return [
    bind(operationRoutes.start, async ({ body, caller, request, traceId, basePath }) => {
      const { action, ids, filter, all, dryRun, answer, ...rest } = body;
      refuseUnclear(body);
      if (ids === undefined && Object.keys(filter ?? {}).length === 0 && !all) {
        throw invalid(
          "filter",
          "This request has no filter and would cover every job.",
          "Add ids or a filter, or send all: true.",
        );
      }
      const found = ids === undefined ? dlqFilterOf(filter ?? {}, caller) : undefined;
      const tenant = found?.tenant ?? (caller.tenant === "*" ? undefined : caller.tenant);
      const { idempotency } = idempotencyOf(request, () => "");
      const ask: OperationAsk = {
        action,
        by: caller.name,
        ...(found ? { filter: found, shownFilter: filter ?? {} } : { ids: ids ?? [] }),
        ...(tenant !== undefined && { tenant }),
        ...(answer !== undefined && { answer: JSON.stringify(answer) }),
        ...(idempotency && { key: `${tenant ?? "*"}\n${idempotency.key}` }),
        ...(Object.fromEntries(
          Object.entries(rest).filter(([, value]) => value !== undefined),
        ) as Partial<OperationAsk>),
      };
      if (dryRun) return { status: 200, body: await operations.preview(ask) };
      const { operation, isNew } = await operations.start(ask);
      if (isNew) await auditOperation(engine, { caller, traceId }, operation, "started");
      const headers = { location: `${basePath}/operations/${operation.id}` };
      return { status: isNew ? 202 : 200, body: operation, headers };
    }),

    bind(operationRoutes.list, async ({ query, caller }) => {
      const { limit = PAGE, cursor, live } = query;
      // The administrator sees all operations, because one over all tenants covers jobs of each.
      const tenant = query.tenant ?? (caller.root || caller.tenant === "*" ? undefined : caller.tenant);
      if (tenant !== undefined && !caller.root && !sees(caller, tenant))
        throw new AppError("forbidden", "The key belongs to another tenant.", { hint: "Remove `tenant`." });
      const found = await operations.list({
        limit: limit + 1,
        ...(live && { live }),
        ...(tenant !== undefined && { tenant }),
        ...(cursor !== undefined && { beforeId: cursor }),
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return { body: { operations: page, ...(last?.id && { nextCursor: last.id }) } };
    }),

    bind(operationRoutes.find, async ({ params, caller }) => ({
      body: await seen(engine, params.operationId, caller),
    })),

    ...(["pause", "resume", "stop"] as const).map((what) =>
      bind(operationRoutes[what], async ({ params, caller, traceId }) => {
        await seen(engine, params.operationId, caller);
        const operation = await operations.control(params.operationId, what);
        await auditOperation(engine, { caller, traceId }, operation, PAST[what]);
        return { body: operation };
      }),
    ),

    bind(operationRoutes.undo, async ({ params, caller, traceId }) => {
      await seen(engine, params.operationId, caller);
      const operation = await operations.undo(params.operationId, caller.name);
      await auditOperation(engine, { caller, traceId }, operation, "started");
      return { body: operation };
    }),
  ];
}

const PAST = { pause: "paused", resume: "resumed", stop: "stopped" } as const;

/** Adds the end of an operation to the audit list. */
export async function auditOperation(
  engine: Engine,
  act: { caller: Caller; traceId: string },
  { id, action, total, tenant }: OperationView,
  what: string,
): Promise<void> {
  const about = { target: id ?? "", ...(tenant !== null && { tenant }) };
  await audited(engine, act, `operation ${what}: ${action} ${total} ${total === 1 ? "job" : "jobs"}`, about);
}

/** The operation. One over all tenants is not shown to the key of one tenant. */
async function seen(engine: Engine, operationId: string, caller: Caller): Promise<OperationView> {
  const operation = await engine.admin.operations.find(operationId);
  if (caller.tenant === "*" || caller.root || operation.tenant === caller.tenant) return operation;
  throw new AppError("operation-not-found", "Operation not found.");
}

function refuseUnclear({
  action,
  priority,
  from,
  answer,
}: {
  action: string;
  priority?: unknown;
  from?: unknown;
  answer?: unknown;
}): void {
  if (action === "reprioritise" && priority === undefined) {
    throw invalid("priority", "`reprioritise` needs a priority.", "Add priority; lower values start first.");
  }
  if (action !== "reprioritise" && priority !== undefined) {
    throw invalid("priority", "Only `reprioritise` takes a priority.", "Remove priority.");
  }
  if (action !== "revive" && action !== "retry" && from !== undefined) {
    throw invalid("from", "Only `revive` and `retry` take `from`.", "Remove from.");
  }
  if (action !== "release" && answer !== undefined) {
    throw invalid("answer", "Only `release` takes an answer.", "Remove answer.");
  }
}

function invalid(path: string, message: string, hint: string): AppError {
  return new AppError("invalid-request", message, { hint, details: { issues: [{ path, message: hint }] } });
}
