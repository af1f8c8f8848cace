import { RUNNING } from "../../codes.ts";
import { LIMIT_COLUMNS, type TenantRow, tenantCounts } from "../../limits/own-limits.ts";
import type { TenantCounts } from "../../verbs/processes.ts";
import type { Core } from "../core.ts";

const TENANTS = `SELECT name AS tenant, coalesce(counted.running, 0)::bigint AS running, coalesce(counted.pending, 0)::bigint AS pending,
    limited, ${LIMIT_COLUMNS}
  FROM millrace.tenant LEFT JOIN (SELECT tenant, count(*) FILTER (WHERE standing = ${RUNNING}) AS running,
    count(*) FILTER (WHERE standing < ${RUNNING}) AS pending FROM millrace.job GROUP BY tenant) AS counted ON counted.tenant = tenant.id
  ORDER BY coalesce(counted.running, 0) + coalesce(counted.pending, 0) DESC, name COLLATE "C" LIMIT 1000`;

export async function tenants(core: Core): Promise<TenantCounts[]> {
  return tenantCounts(await core.connections.read.run<TenantRow>(TENANTS, []));
}
