import { viewRoutes } from "../../api/many/views.ts";
import { AppError } from "../../lib/app-error.ts";
import { audited } from "../auth/audit.ts";
import type { Caller } from "../auth/caller.ts";
import type { Engine, RecordSpace } from "../engine.ts";
import { type BoundRoute, bind } from "../request/bind.ts";

const MOST_VIEWS = 100;
const SPACE = "millrace-views";
/** Views over all tenants name tenants, which the key of one must not read. */
const SPACE_OF_ALL = "millrace-views-of-all";

/** Saved views are records: each tenant has its own, and so has the administrator of all. */
export function viewHandlers(engine: Engine): BoundRoute[] {
  return [
    bind(viewRoutes.list, async ({ caller }) => {
      const { space, of } = spaceOf(engine, caller);
      const { records } = await space.list({ ...of, limit: MOST_VIEWS });
      return { body: { views: records.map(viewOf) } };
    }),

    bind(viewRoutes.put, async ({ params: { name }, body: { path }, caller, traceId }) => {
      const { space, of } = spaceOf(engine, caller);
      const { records } = await space.list({ ...of, limit: MOST_VIEWS });
      if (records.length >= MOST_VIEWS && !records.some(({ key }) => key === name)) {
        throw new AppError("conflict", `The tenant already has ${MOST_VIEWS} saved views, the maximum.`, {
          hint: "Delete one that is no longer used.",
        });
      }
      await space.put(name, path, of);
      await audited(engine, { caller, traceId }, "view saved", { target: name, ...of });
      return { body: { name, path, updatedAt: new Date().toISOString() } };
    }),

    bind(viewRoutes.remove, async ({ params: { name }, caller, traceId }) => {
      const { space, of } = spaceOf(engine, caller);
      if (!(await space.delete(name, of))) throw new AppError("not-found", "Saved view not found.");
      await audited(engine, { caller, traceId }, "view deleted", { target: name, ...of });
      return {};
    }),
  ];
}

function spaceOf(engine: Engine, { tenant }: Caller): { space: RecordSpace; of: { tenant?: string } } {
  if (tenant === "*") return { space: engine.records(SPACE_OF_ALL), of: {} };
  return { space: engine.records(SPACE), of: { tenant } };
}

function viewOf({ key, value, updatedAt }: { key: string; value: unknown; updatedAt: Date }) {
  return { name: key, path: String(value), updatedAt: updatedAt.toISOString() };
}
