import type { TenantLimits } from "../../../job/options/tenant-limits.ts";
import { columnsOf, LIMIT_COLUMNS, limitsOfRow, type TenantLimitRow } from "../../limits/own-limits.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { Core } from "../core.ts";
import { bumpVersion } from "../register/workers.ts";

const SET = `UPDATE millrace.tenant
  SET max_running = $2::int, rate_count = $3::int, rate_per_ms = $4::bigint, weight = $5::float8, queue_max = $6::int, overflow = $7::text,
    limited = $8::boolean
  WHERE id = $1::int AND (limited OR $8::boolean)
  RETURNING id`;
const FIND = `SELECT id, ${LIMIT_COLUMNS} FROM millrace.tenant WHERE name = $1 AND limited`;
const BUMP_LIMITS = `INSERT INTO millrace.meta (name, value) VALUES ('limits_version', '1')
  ON CONFLICT (name) DO UPDATE SET value = (meta.value::bigint + 1)::text`;

export async function putTenantLimits(core: Core, tenant: string, limits: TenantLimits): Promise<void> {
  const tenants = await core.names.tenants([tenant]);
  await write(core, tenants.get(tenant) as number, limits, { isLimited: true });
}

export async function deleteTenantLimits(core: Core, tenant: string): Promise<ControlAnswer> {
  const id = await core.names.findTenant(tenant);
  return id !== undefined && (await write(core, id, {}, { isLimited: false })) ? "done" : "not-found";
}

export async function findTenantLimits(core: Core, tenant: string): Promise<TenantLimits | undefined> {
  const [row] = await core.connections.write.run<TenantLimitRow>(FIND, [tenant]);
  return row && limitsOfRow(row);
}

/** Tenants that waited at their limit may have room now, so all processes look for work. */
async function write(
  core: Core,
  id: number,
  limits: TenantLimits,
  { isLimited }: { isLimited: boolean },
): Promise<boolean> {
  const isWritten = await core.connections.write.transact(async (tx) => {
    await bumpVersion(tx);
    const written = await tx.run(SET, [id, ...columnsOf(limits), isLimited]);
    if (written.length > 0) await tx.run(BUMP_LIMITS, []);
    return written.length > 0;
  });
  await core.names.load();
  core.voice.say("work");
  core.events.wake();
  return isWritten;
}
