// BOUNDED: a claim under a pace or a limit on running jobs per tenant. All its rounds are one transaction that locks what the
// limit counts, so that the limit holds across all processes.

import type { Pace } from "../../../job/kind/plan.ts";
import { READY, SUSPECT } from "../../codes.ts";
import type { ClaimRequest } from "../../verbs/attempts.ts";
import { isWoken } from "../../waits/codes.ts";
import type { RateWindow } from "../../window.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";
import { openWindows, purgeWindows, writeWindow } from "../submit/window.ts";
import type { Look } from "./look.ts";
import { lockStage, runningOf } from "./pick.ts";
import { type ClaimedRounds, claimRounds, type RoundSource } from "./rounds.ts";
import { claimReadyIn, claimSuspects } from "./rows.ts";

/** The tenants that may start a job, those with the lowest turn first, and the tenants of all suspects. */
const FIND_TENANTS = statement<{ stage: number; maxRunning: number; most: number }>(`(
    SELECT DISTINCT tenant FROM millrace.job WHERE standing = ${SUSPECT} AND stage = :stage
  )
  UNION (
    SELECT tenant
    FROM millrace.lane,
      LATERAL (
        SELECT 1
        FROM millrace.job
        WHERE standing = ${READY} AND job.stage = :stage AND job.tenant = lane.tenant
        ORDER BY priority, run_at, id
        LIMIT 1
      ) AS any_job
    WHERE stage = :stage AND active AND ${runningOf("lane.tenant")} < :maxRunning::int
    ORDER BY turn
    LIMIT :most
  )`);
const FIND_MOMENT = statement<{ now: Value }>(`SELECT ${nowBy(":now")} AS now`);

export interface BoundedRounds extends ClaimedRounds {
  /** The pace has no room left: the next job may start then. */
  nextStartAt?: number;
}

export function isBounded(core: Core, { pace }: ClaimRequest): boolean {
  return pace !== undefined || core.options.limits.maxConcurrentPerTenant > 0;
}

export function claimBounded(core: Core, stage: StageRow, request: ClaimRequest, look: Look): Promise<BoundedRounds> {
  const { pace } = request;
  return core.connections.write.transact(async (tx): Promise<BoundedRounds> => {
    await tx.run(...lockStage(core, stage, { alone: false }));
    const window = pace && (await openPace(core, tx, stage, pace));
    const room = Math.min(request.slots.length, Math.max(0, window?.room ?? request.slots.length));
    if (window && room === 0) return { rows: [], suspectCount: 0, nextStartAt: window.freeAt(1) };
    const source = await openSource(core, tx, stage, room);
    const rounds = { request, room, hasLanes: look.hasLanes, fromMarks: false };
    const claimed = await claimRounds(core, stage, source, rounds);
    const [first] = claimed.rows;
    if (!window || !pace) return claimed;
    // A job that was woken has started before, and is not counted again.
    const starts = claimed.rows.filter(({ run_at }) => !isWoken(run_at)).length;
    if (first && starts > 0) {
      const limit = { what: "start", ...pace } as const;
      await writeWindow(tx, limit, paceOwner(stage), first.now, starts);
      window.take(starts);
    }
    // Only a claim that used up the room waits for the pace; any other waits for work.
    return claimed.rows.length === room ? { ...claimed, nextStartAt: window.freeAt(1) } : claimed;
  });
}

async function openPace(core: Core, tx: StatementRunner, stage: StageRow, pace: Pace): Promise<RateWindow> {
  const owner = paceOwner(stage);
  await lock(tx, core.connections.target.schema, [`pace ${owner}`]);
  const [moment] = await tx.run<{ now: number }>(...FIND_MOMENT({ now: core.clock.given }));
  const limit = { what: "start", ...pace } as const;
  await purgeWindows(tx, limit, [owner], moment?.now as number);
  const windows = await openWindows(tx, limit, [owner], moment?.now as number);
  return windows.get(owner) as RateWindow;
}

/** One number for a stage under its current and earlier names, in all plans. */
function paceOwner({ paceOwner, queue }: StageRow): number {
  return paceOwner ?? queue;
}

async function openSource(core: Core, tx: StatementRunner, stage: StageRow, room: number): Promise<RoundSource> {
  const hasLimit = core.options.limits.maxConcurrentPerTenant > 0;
  const tenants = hasLimit ? await lockTenants(core, tx, stage, room) : undefined;
  return {
    isBounded: true,
    ready: (slots) => claimReadyIn(tx, core, stage, slots, tenants),
    // Under a limit per tenant each suspect must be counted before the next one is claimed.
    suspects: (slots) => claimSuspects(tx, core, stage, hasLimit ? slots.slice(0, 1) : slots, tenants),
  };
}

/** No other process counts the running jobs of these tenants, or starts one, until this transaction has ended. */
async function lockTenants(core: Core, tx: StatementRunner, stage: StageRow, room: number): Promise<number[]> {
  const { maxConcurrentPerTenant: maxRunning } = core.options.limits;
  const query = FIND_TENANTS({ stage: stage.id, maxRunning, most: room * 2 });
  const tenants = (await tx.run<{ tenant: number }>(...query)).map(({ tenant }) => tenant);
  await lock(
    tx,
    core.connections.target.schema,
    tenants.map((tenant) => `places ${tenant}`),
  );
  return tenants;
}
