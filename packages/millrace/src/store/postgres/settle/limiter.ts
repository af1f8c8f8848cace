import type { LimiterRule } from "../../../job/options/limiter.ts";
import { type DayUse, decideTake } from "../../decide/attempt/limiter.ts";
import {
  ALL_TENANTS,
  dayOf,
  isBudgeted,
  LIMITER_COLUMNS,
  type LimiterUse,
  limiterStates,
  RULE_COLUMNS,
  ruleColumns,
  ruleText,
  type StoredLimiter,
} from "../../limits/limiter-state.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { LimiterAnswer, LimiterState } from "../../verbs/limiters.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";

const LOCK = `SELECT ${LIMITER_COLUMNS} FROM millrace.limiter WHERE name = $1 FOR NO KEY UPDATE`;
const ALL = `SELECT ${LIMITER_COLUMNS}, ${NOW} AS now FROM millrace.limiter ORDER BY name COLLATE "C"`;
const USED = `SELECT tenant, used FROM millrace.limiter_use
  WHERE limiter = $1::text AND day = $2::int AND tenant = ANY($3::int[])`;
const USE = `INSERT INTO millrace.limiter_use (limiter, day, tenant, used)
  SELECT $1::text, $2::int, tenant, $4::float8 FROM unnest($3::int[]) AS tenant
  ON CONFLICT (limiter, day, tenant) DO UPDATE SET used = limiter_use.used + excluded.used`;
const FORGET_DAYS = "DELETE FROM millrace.limiter_use WHERE limiter = $1 AND day < $2::int";
const USED_TODAY = `SELECT limiter, name AS tenant, used FROM (
    SELECT *, row_number() OVER (PARTITION BY limiter ORDER BY tenant <> ${ALL_TENANTS}, used DESC) AS place
    FROM millrace.limiter_use WHERE day = $1::int
  ) AS today LEFT JOIN millrace.tenant ON tenant.id = today.tenant WHERE place <= 21 ORDER BY limiter, place`;
const SET_LEVEL = "UPDATE millrace.limiter SET level = $2, level_at = $3 WHERE name = $1";
const BLOCK = "UPDATE millrace.limiter SET blocked_until = greatest(blocked_until, $2) WHERE name = $1";
const UNBLOCK = "UPDATE millrace.limiter SET blocked_until = 0 WHERE name = $1 RETURNING name";
// $1 is the moment. Another process may add it at the same time.
const ADD = `INSERT INTO millrace.limiter (name, ${RULE_COLUMNS}, level, level_at, code, is_set)
  VALUES ($2, $3::float8, $4, $5, $6, $3::float8, ${NOW}, $7, $8) ON CONFLICT (name) DO NOTHING RETURNING name`;
const SET_CODE = "UPDATE millrace.limiter SET code = $2 WHERE name = $1";
// A changed rate starts full; an unchanged one keeps what was taken, also over a restart.
const SET_RULE = `UPDATE millrace.limiter
  SET level = CASE WHEN count = $3::float8 AND per_ms = $4::bigint THEN level ELSE $3::float8 END,
    level_at = CASE WHEN count = $3::float8 AND per_ms = $4::bigint THEN level_at ELSE ${NOW} END,
    count = $3::float8, per_ms = $4::bigint, per_day = $5::float8, per_tenant_day = $6::float8, is_set = $7
  WHERE name = $2`;
const DELETE = "DELETE FROM millrace.limiter WHERE name = $1";

export async function setLimiters(core: Core, limiters: ({ name: string } & LimiterRule)[]): Promise<void> {
  const sorted = [...limiters].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, ...rule } of sorted) {
    const code = ruleText(rule);
    await core.connections.write.transact(async (tx) => {
      if (await add(core, tx, name, rule, { code, isSet: false })) return;
      const row = await lockRow(tx, name);
      if (!row || row.code === code) return;
      await tx.run(SET_CODE, [name, code]);
      if (!row.is_set) await setRule(core, tx, name, rule, { isSet: false });
    });
  }
}

export function putLimiter(core: Core, name: string, rule: LimiterRule): Promise<void> {
  return core.connections.write.transact(async (tx) => {
    if (await add(core, tx, name, rule, { code: null, isSet: true })) return;
    await setRule(core, tx, name, rule, { isSet: true });
  });
}

export function resetLimiter(core: Core, name: string): Promise<ControlAnswer> {
  return core.connections.write.transact(async (tx): Promise<ControlAnswer> => {
    const row = await lockRow(tx, name);
    if (!row) return "not-found";
    if (row.code === null) await tx.run(DELETE, [name]);
    else await setRule(core, tx, name, JSON.parse(row.code), { isSet: false });
    return "done";
  });
}

export async function unblockLimiter(core: Core, name: string): Promise<ControlAnswer> {
  return (await core.connections.write.run(UNBLOCK, [name])).length > 0 ? "done" : "not-found";
}

export async function limiters(core: Core): Promise<LimiterState[]> {
  const rows = await core.connections.write.run<StoredLimiter & { now: number }>(ALL, [core.clock.given]);
  const [first] = rows;
  if (!first) return [];
  const uses = await core.connections.write.run<LimiterUse>(USED_TODAY, [dayOf(first.now)]);
  return limiterStates(rows, uses, first.now);
}

/** The row of the limiter is locked until the transaction ends, and with it what is counted beside it. */
export async function takeFromLimiter(
  core: Core,
  tx: StatementRunner,
  { name, cost, now, tenant }: { name: string; cost: number; now: number; tenant: number },
): Promise<LimiterAnswer> {
  const row = await lockRow(tx, name);
  const use = row ? await useOf(tx, row, tenant, now) : { all: 0, tenant: 0 };
  const decision = decideTake(row, { name, cost, now, random: core.random, use });
  if ("retryAt" in decision) return decision;
  await tx.run(SET_LEVEL, [name, decision.level, Math.max(now, row?.level_at ?? 0)]);
  if (row && isBudgeted(row)) {
    const day = dayOf(now);
    if (use.all === 0) await tx.run(FORGET_DAYS, [name, day]);
    await tx.run(USE, [name, day, numbers([ALL_TENANTS, tenant]), cost]);
  }
  return "taken";
}

export async function blockLimiter(tx: StatementRunner, name: string, until: number): Promise<void> {
  await tx.run(BLOCK, [name, until]);
}

async function lockRow(tx: StatementRunner, name: string): Promise<StoredLimiter | undefined> {
  const [row] = await tx.run<StoredLimiter>(LOCK, [name]);
  return row;
}

async function useOf(tx: StatementRunner, row: StoredLimiter, tenant: number, now: number): Promise<DayUse> {
  if (!isBudgeted(row)) return { all: 0, tenant: 0 };
  const rows = await tx.run<{ tenant: number; used: number }>(USED, [
    row.name,
    dayOf(now),
    numbers([ALL_TENANTS, tenant]),
  ]);
  const used = (of: number) => rows.find((each) => each.tenant === of)?.used ?? 0;
  return { all: used(ALL_TENANTS), tenant: used(tenant) };
}

/** False if the limiter exists already. */
async function add(
  core: Core,
  tx: StatementRunner,
  name: string,
  rule: LimiterRule,
  { code, isSet }: { code: string | null; isSet: boolean },
): Promise<boolean> {
  return (await tx.run(ADD, [core.clock.given, name, ...ruleColumns(rule), code, isSet])).length > 0;
}

async function setRule(
  core: Core,
  tx: StatementRunner,
  name: string,
  rule: LimiterRule,
  { isSet }: { isSet: boolean },
): Promise<void> {
  await tx.run(SET_RULE, [core.clock.given, name, ...ruleColumns(rule), isSet]);
}
