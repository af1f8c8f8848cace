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
  ruleText,
  type StoredLimiter,
} from "../../limits/limiter-state.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { LimiterAnswer, LimiterState } from "../../verbs/limiters.ts";
import { numbers } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";

const MOMENT = nowBy(":now");

const LOCK = statement<{ name: string }>(`SELECT ${LIMITER_COLUMNS}
  FROM millrace.limiter
  WHERE name = :name
  FOR NO KEY UPDATE`);
const ALL = statement<{ now: Value }>(`SELECT ${LIMITER_COLUMNS}, ${MOMENT} AS now
  FROM millrace.limiter
  ORDER BY name COLLATE "C"`);
const USED = statement<{ name: string; day: number; tenants: Value }>(`SELECT tenant, used
  FROM millrace.limiter_use
  WHERE limiter = :name::text AND day = :day::int AND tenant = ANY(:tenants::int[])`);
const USE = statement<{ name: string; day: number; tenants: Value; cost: number }>(`INSERT INTO millrace.limiter_use
    (limiter, day, tenant, used)
  SELECT :name::text, :day::int, tenant, :cost::float8
  FROM unnest(:tenants::int[]) AS tenant
  ON CONFLICT (limiter, day, tenant) DO UPDATE SET used = limiter_use.used + excluded.used`);
const FORGET_DAYS = statement<{ name: string; day: number }>(`DELETE FROM millrace.limiter_use
  WHERE limiter = :name AND day < :day::int`);
const USED_TODAY = statement<{ day: number }>(`SELECT limiter, name AS tenant, used
  FROM (
    SELECT *, row_number() OVER (PARTITION BY limiter ORDER BY tenant <> ${ALL_TENANTS}, used DESC) AS place
    FROM millrace.limiter_use
    WHERE day = :day::int
  ) AS today
  LEFT JOIN millrace.tenant ON tenant.id = today.tenant
  WHERE place <= 21
  ORDER BY limiter, place`);
const SET_LEVEL = statement<{ name: string; level: number; levelAt: number }>(`UPDATE millrace.limiter
  SET level = :level, level_at = :levelAt
  WHERE name = :name`);
const BLOCK = statement<{ name: string; until: number }>(`UPDATE millrace.limiter
  SET blocked_until = greatest(blocked_until, :until)
  WHERE name = :name`);
const UNBLOCK = statement<{ name: string }>(`UPDATE millrace.limiter
  SET blocked_until = 0
  WHERE name = :name
  RETURNING name`);
/** Another process may add the limiter at the same time. */
const ADD = statement<RuleParameters & { code: string | null }>(`INSERT INTO millrace.limiter
    (name, ${RULE_COLUMNS}, level, level_at, code, is_set)
  VALUES (:name, :count::float8, :perMs, :perDay, :perTenantDay, :count::float8, ${MOMENT}, :code, :isSet)
  ON CONFLICT (name) DO NOTHING
  RETURNING name`);
const SET_CODE = statement<{ name: string; code: string }>(`UPDATE millrace.limiter
  SET code = :code
  WHERE name = :name`);
/** A changed rate starts full; an unchanged one keeps what was taken, also over a restart. */
const SET_RULE = statement<RuleParameters>(`UPDATE millrace.limiter
  SET level = CASE WHEN count = :count::float8 AND per_ms = :perMs::bigint THEN level ELSE :count::float8 END,
    level_at = CASE WHEN count = :count::float8 AND per_ms = :perMs::bigint THEN level_at ELSE ${MOMENT} END,
    count = :count::float8,
    per_ms = :perMs::bigint,
    per_day = :perDay::float8,
    per_tenant_day = :perTenantDay::float8,
    is_set = :isSet
  WHERE name = :name`);
const DELETE = statement<{ name: string }>("DELETE FROM millrace.limiter WHERE name = :name");

interface RuleParameters {
  now: Value;
  name: string;
  count: number;
  perMs: number;
  perDay: number | null;
  perTenantDay: number | null;
  isSet: boolean;
}

export async function setLimiters(core: Core, limiters: ({ name: string } & LimiterRule)[]): Promise<void> {
  const sorted = [...limiters].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, ...rule } of sorted) {
    const code = ruleText(rule);
    await core.connections.write.transact(async (tx) => {
      if (await add(core, tx, name, rule, { code, isSet: false })) return;
      const row = await lockRow(tx, name);
      if (!row || row.code === code) return;
      await tx.run(...SET_CODE({ name, code }));
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
    if (row.code === null) await tx.run(...DELETE({ name }));
    else await setRule(core, tx, name, JSON.parse(row.code), { isSet: false });
    return "done";
  });
}

export async function unblockLimiter(core: Core, name: string): Promise<ControlAnswer> {
  return (await core.connections.write.run(...UNBLOCK({ name }))).length > 0 ? "done" : "not-found";
}

export async function limiters(core: Core): Promise<LimiterState[]> {
  const rows = await core.connections.write.run<StoredLimiter & { now: number }>(...ALL({ now: core.clock.given }));
  const [first] = rows;
  if (!first) return [];
  const uses = await core.connections.write.run<LimiterUse>(...USED_TODAY({ day: dayOf(first.now) }));
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
  await tx.run(...SET_LEVEL({ name, level: decision.level, levelAt: Math.max(now, row?.level_at ?? 0) }));
  if (row && isBudgeted(row)) {
    const day = dayOf(now);
    if (use.all === 0) await tx.run(...FORGET_DAYS({ name, day }));
    await tx.run(...USE({ name, day, tenants: numbers([ALL_TENANTS, tenant]), cost }));
  }
  return "taken";
}

export async function blockLimiter(tx: StatementRunner, name: string, until: number): Promise<void> {
  await tx.run(...BLOCK({ name, until }));
}

async function lockRow(tx: StatementRunner, name: string): Promise<StoredLimiter | undefined> {
  const [row] = await tx.run<StoredLimiter>(...LOCK({ name }));
  return row;
}

async function useOf(tx: StatementRunner, row: StoredLimiter, tenant: number, now: number): Promise<DayUse> {
  if (!isBudgeted(row)) return { all: 0, tenant: 0 };
  const { name } = row;
  const query = USED({ name, day: dayOf(now), tenants: numbers([ALL_TENANTS, tenant]) });
  const rows = await tx.run<{ tenant: number; used: number }>(...query);
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
  return (await tx.run(...ADD({ ...ruleParameters(core, name, rule), code, isSet }))).length > 0;
}

async function setRule(
  core: Core,
  tx: StatementRunner,
  name: string,
  rule: LimiterRule,
  { isSet }: { isSet: boolean },
): Promise<void> {
  await tx.run(...SET_RULE({ ...ruleParameters(core, name, rule), isSet }));
}

function ruleParameters(core: Core, name: string, rule: LimiterRule): Omit<RuleParameters, "isSet"> {
  const { count, perMs, perDay = null, perTenantPerDay = null } = rule;
  return { now: core.clock.given, name, count, perMs, perDay, perTenantDay: perTenantPerDay };
}
