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
import type { Core } from "../core.ts";

const FIND = `SELECT ${LIMITER_COLUMNS} FROM limiter WHERE name = ?`;
const ALL = `SELECT ${LIMITER_COLUMNS} FROM limiter ORDER BY name`;
const USED = "SELECT used FROM limiter_use WHERE limiter = ? AND day = ? AND tenant = ?";
const USE = `INSERT INTO limiter_use (limiter, day, tenant, used) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (limiter, day, tenant) DO UPDATE SET used = used + excluded.used`;
const FORGET_DAYS = "DELETE FROM limiter_use WHERE limiter = ? AND day < ?";
const USED_TODAY = `SELECT limiter, name AS tenant, used FROM (
    SELECT *, row_number() OVER (PARTITION BY limiter ORDER BY tenant <> ${ALL_TENANTS}, used DESC) AS place
    FROM limiter_use WHERE day = ?
  ) LEFT JOIN tenant ON tenant.id = tenant WHERE place <= 21 ORDER BY limiter, place`;
const SET_LEVEL = "UPDATE limiter SET level = ?, level_at = ? WHERE name = ?";
const BLOCK = "UPDATE limiter SET blocked_until = max(blocked_until, ?) WHERE name = ?";
const UNBLOCK = "UPDATE limiter SET blocked_until = 0 WHERE name = ?";
const ADD = `INSERT INTO limiter (name, ${RULE_COLUMNS}, level, level_at, code, is_set) VALUES (?1, ?2, ?3, ?4, ?5, ?2, ?6, ?7, ?8)`;
const SET_CODE = "UPDATE limiter SET code = ? WHERE name = ?";
// A changed rate starts full; an unchanged one keeps what was taken, also over a restart.
const SET_RULE = `UPDATE limiter SET
    level = CASE WHEN count = ?2 AND per_ms = ?3 THEN level ELSE ?2 END,
    level_at = CASE WHEN count = ?2 AND per_ms = ?3 THEN level_at ELSE ?6 END,
    (${RULE_COLUMNS}, is_set) = (?2, ?3, ?4, ?5, ?7)
  WHERE name = ?1`;
const DELETE = "DELETE FROM limiter WHERE name = ?";

export function setLimiters(core: Core, limiters: ({ name: string } & LimiterRule)[]): void {
  for (const { name, ...rule } of limiters) {
    const row = find(core, name);
    const code = ruleText(rule);
    if (row?.code === code) continue;
    if (!row) add(core, name, rule, { code, isSet: false });
    else {
      core.statement(SET_CODE).run(code, name);
      if (!row.is_set) setRule(core, name, rule, { isSet: false });
    }
  }
}

export function putLimiter(core: Core, name: string, rule: LimiterRule): void {
  if (find(core, name)) setRule(core, name, rule, { isSet: true });
  else add(core, name, rule, { code: null, isSet: true });
}

export function resetLimiter(core: Core, name: string): ControlAnswer {
  const row = find(core, name);
  if (!row) return "not-found";
  if (row.code === null) core.statement(DELETE).run(name);
  else setRule(core, name, JSON.parse(row.code), { isSet: false });
  return "done";
}

export function unblockLimiter(core: Core, name: string): ControlAnswer {
  return Number(core.statement(UNBLOCK).run(name).changes) > 0 ? "done" : "not-found";
}

export function limiters(core: Core): LimiterState[] {
  const now = core.clock.now();
  const uses = core.statement(USED_TODAY).all(dayOf(now)) as unknown as LimiterUse[];
  return limiterStates(core.statement(ALL).all() as unknown as StoredLimiter[], uses, now);
}

export function takeFromLimiter(
  core: Core,
  { name, cost, tenant }: { name: string; cost: number; tenant: number },
): LimiterAnswer {
  const row = find(core, name);
  const now = core.clock.now();
  const use = row ? useOf(core, row, tenant, now) : { all: 0, tenant: 0 };
  const decision = decideTake(row, { name, cost, now, random: core.random, use });
  if ("retryAt" in decision) return decision;
  core.statement(SET_LEVEL).run(decision.level, now, name);
  if (row && isBudgeted(row)) {
    const day = dayOf(now);
    if (use.all === 0) core.statement(FORGET_DAYS).run(name, day);
    for (const each of [ALL_TENANTS, tenant]) core.statement(USE).run(name, day, each, cost);
  }
  return "taken";
}

/** Nothing can be taken from the limiter for this long. */
export function closeLimiter(core: Core, name: string, forMs: number): void {
  core.statement(BLOCK).run(core.clock.now() + forMs, name);
}

function find(core: Core, name: string): StoredLimiter | undefined {
  return core.statement(FIND).get(name) as unknown as StoredLimiter | undefined;
}

function useOf(core: Core, row: StoredLimiter, tenant: number, now: number): DayUse {
  if (!isBudgeted(row)) return { all: 0, tenant: 0 };
  const used = (of: number) =>
    (core.statement(USED).get(row.name, dayOf(now), of) as { used: number } | undefined)?.used ?? 0;
  return { all: used(ALL_TENANTS), tenant: used(tenant) };
}

function add(
  core: Core,
  name: string,
  rule: LimiterRule,
  { code, isSet }: { code: string | null; isSet: boolean },
): void {
  core.statement(ADD).run(name, ...ruleColumns(rule), core.clock.now(), code, isSet ? 1 : 0);
}

function setRule(core: Core, name: string, rule: LimiterRule, { isSet }: { isSet: boolean }): void {
  core.statement(SET_RULE).run(name, ...ruleColumns(rule), core.clock.now(), isSet ? 1 : 0);
}
