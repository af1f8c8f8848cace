import type { TenantLimits } from "../../../job/options/tenant-limits.ts";
import { columnsOf, LIMIT_COLUMNS, limitsOfRow, type TenantLimitRow } from "../../limits/own-limits.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { Core } from "../core.ts";
import { bumpVersion } from "../register/workers.ts";

const SET = `UPDATE tenant SET (${LIMIT_COLUMNS}, limited) = (?2, ?3, ?4, ?5, ?6, ?7, ?8) WHERE id = ?1`;
const FIND = `SELECT id, ${LIMIT_COLUMNS} FROM tenant WHERE name = ? AND limited`;
const BUMP_LIMITS = `INSERT INTO meta (name, value) VALUES ('limits_version', '1')
  ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1`;

export function putTenantLimits(core: Core, tenant: string, limits: TenantLimits): void {
  write(core, core.names.tenant(tenant), limits, { isLimited: true });
}

export function deleteTenantLimits(core: Core, tenant: string): ControlAnswer {
  const row = find(core, tenant);
  if (!row) return "not-found";
  write(core, row.id, {}, { isLimited: false });
  return "done";
}

export function findTenantLimits(core: Core, tenant: string): TenantLimits | undefined {
  const row = find(core, tenant);
  return row && limitsOfRow(row);
}

function find(core: Core, tenant: string): TenantLimitRow | undefined {
  return core.statement(FIND).get(tenant) as unknown as TenantLimitRow | undefined;
}

/** Tenants that waited at their limit may have room now, so the pools look for work. */
function write(core: Core, id: number, limits: TenantLimits, { isLimited }: { isLimited: boolean }): void {
  core.statement(SET).run(id, ...columnsOf(limits), isLimited ? 1 : 0);
  core.statement(BUMP_LIMITS).run();
  bumpVersion(core);
  core.names.forgetLimits();
  core.counts.flush();
  core.counts.blockLanes(id);
  core.wakePools();
}
