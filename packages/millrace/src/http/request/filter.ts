import type { z } from "zod";
import type { dlqRoutes } from "../../api/dead-letters.ts";
import type { JobFilterBody, JobListQuery } from "../../api/job-filter.ts";
import { AppError } from "../../lib/app-error.ts";
import type { JobFilter } from "../../store/verbs/job-filter.ts";
import { type Caller, sees } from "../auth/caller.ts";

type FilterRequest = Partial<z.output<typeof JobListQuery>> & Partial<z.output<typeof JobFilterBody>>;

type DlqFilter = z.output<NonNullable<typeof dlqRoutes.list.query>>;

/** The filter that a caller sent, never wider than what the caller may see. */
export function filterOf(asked: FilterRequest, caller: Caller): JobFilter {
  const { status, kind, stage, tag, waitsFor, parent, batch, since, until, q, inProgress } = asked;
  const tenant = tenantOf(asked.tenant, caller);
  return {
    ...(status !== undefined && { status }),
    ...(kind !== undefined && { kind }),
    ...(stage !== undefined && { stage }),
    ...(tag !== undefined && { tag }),
    ...(waitsFor !== undefined && { waitsFor }),
    ...(parent !== undefined && { parent }),
    ...(batch !== undefined && { batch }),
    ...(since !== undefined && { sinceAt: Date.parse(since) }),
    ...(until !== undefined && { untilAt: Date.parse(until) }),
    ...(q !== undefined && { search: q }),
    ...(inProgress !== undefined && { inProgress }),
    ...(tenant !== undefined && { tenant }),
  };
}

/** The filter of dead letters, which also have a failure. */
export function dlqFilterOf(asked: Partial<DlqFilter>, caller: Caller): JobFilter {
  const { code, error, fingerprint } = asked;
  return {
    ...filterOf(asked, caller),
    ...(code !== undefined && { failureCode: code }),
    ...(error !== undefined && { failureMessage: error }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}

/** The tenant of a filter. Undefined: all tenants, for an administrator who asks for them. */
function tenantOf(asked: string | undefined, caller: Caller): string | undefined {
  if (asked === undefined) return caller.tenant === "*" ? undefined : caller.tenant;
  if (caller.allTenants || sees(caller, asked)) return asked;
  throw new AppError("forbidden", "This key belongs to another tenant.", { hint: "Remove `tenant`." });
}
