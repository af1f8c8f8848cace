// BOUNDED: a claim under a pace, under weights of tenants, or under a limit on running jobs: of a tenant, of the kind, or shared by
// kinds. All its rounds are one transaction that locks what the limit counts, so that the limit holds across all processes.

import type { Pace } from "../../../job/kind/pace.ts";
import { READY, SUSPECT } from "../../codes.ts";
import type { ClaimRequest } from "../../verbs/attempts.ts";
import { isWoken } from "../../waits/codes.ts";
import type { RateWindow } from "../../window.ts";
import { numbers } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { lock } from "../connection/locks.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { isShared, roomOfKind } from "../keys/room.ts";
import type { StageRow } from "../register/names.ts";
import { openWindows, purgeWindows, writeWindow } from "../submit/window.ts";
import type { Look } from "./look.ts";
import { lockStage, maxRunningOf, mayStartOf } from "./pick.ts";
import { type ClaimedRounds, claimRounds, type RoundSource } from "./rounds.ts";
import { claimReadyIn, claimSuspects } from "./rows.ts";
import { claimByWeight } from "./weighted.ts";

const mayStart = (tenant: string) =>
  `${mayStartOf(`(SELECT max_running FROM millrace.tenant WHERE id = ${tenant})`, tenant)} > 0`;

/**
 * The tenants that may start a job: those with the lowest turn first, and those of suspects. Other tenants are left
 * out, because their lanes would displace lanes that can be served.
 */
const FIND_TENANTS = statement<{ stage: number; maxRunning: number; most: number }>(`(
    SELECT tenant
    FROM (SELECT DISTINCT tenant FROM millrace.job WHERE standing = ${SUSPECT} AND stage = :stage) AS suspected
    WHERE ${mayStart("suspected.tenant")}
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
    WHERE stage = :stage AND active AND ${mayStart("lane.tenant")}
    ORDER BY turn
    LIMIT :most
  )`);
/** The tenants among them that have a limit. */
const FIND_LIMITED = statement<{ tenants: string; maxRunning: number }>(`SELECT id
  FROM millrace.tenant
  WHERE id = ANY(:tenants::int[]) AND ${maxRunningOf("max_running")} > 0`);
const FIND_MOMENT = statement<{ now: Value }>(`SELECT ${nowBy(":now")} AS now`);

export interface BoundedRounds extends ClaimedRounds {
  /** When the next job may start, if the pace has no room left. */
  nextStartAt?: number;
}

/**
 * `hasLimitedTenants`: jobs wait in the stage whose tenant has a limit of its own. Any other claim takes no job of such a
 * tenant, so it needs no locks.
 */
export function isBounded(
  core: Core,
  { kind }: StageRow,
  { pace }: ClaimRequest,
  { hasLimitedTenants }: Pick<Look, "hasLimitedTenants">,
): boolean {
  const { leastWeight, hasConcurrency } = core.names.ownLimits;
  if (pace !== undefined || leastWeight !== undefined || core.options.limits.maxConcurrentPerTenant > 0) return true;
  return (hasConcurrency && hasLimitedTenants) || isShared(core.names.rules(kind).concurrency);
}

/** The running jobs of a tenant are limited. */
export function hasCaps(core: Core): boolean {
  return core.options.limits.maxConcurrentPerTenant > 0 || core.names.ownLimits.hasConcurrency;
}

export function claimBounded(core: Core, stage: StageRow, request: ClaimRequest, look: Look): Promise<BoundedRounds> {
  const { pace } = request;
  return core.connections.write.transact(async (tx): Promise<BoundedRounds> => {
    const { leastWeight } = core.names.ownLimits;
    await tx.run(...lockStage(core, stage, { alone: leastWeight !== undefined }));
    const window = pace && (await openPace(core, tx, stage, pace));
    const room = Math.min(request.slots.length, Math.max(0, window?.room ?? request.slots.length));
    if (window && room === 0) return { rows: [], suspectCount: 0, nextStartAt: window.freeAt(1) };
    const free = Math.min(room, await roomOfKind(core, tx, stage.kind));
    if (free === 0) return { rows: [], suspectCount: 0 };
    const source = await openSource(core, tx, stage, free);
    const rounds = { request, room: free, hasLanes: look.hasLanes, fromMarks: false };
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
  const { leastWeight } = core.names.ownLimits;
  const hasLimit = hasCaps(core);
  const tenants = hasLimit ? await lockTenants(core, tx, stage, room) : undefined;
  return {
    isBounded: true,
    ready: (slots) =>
      leastWeight === undefined
        ? claimReadyIn(tx, core, stage, slots, tenants)
        : claimByWeight(tx, core, stage, { slots, tenants, leastWeight }),
    // Under a limit per tenant each suspect must be counted before the next one is claimed.
    suspects: (slots) => claimSuspects(tx, core, stage, hasLimit ? slots.slice(0, 1) : slots, tenants),
  };
}

/** No other process counts the running jobs of these tenants, or starts one, until this transaction has ended. */
async function lockTenants(core: Core, tx: StatementRunner, stage: StageRow, room: number): Promise<number[]> {
  const { maxConcurrentPerTenant: maxRunning } = core.options.limits;
  const query = FIND_TENANTS({ stage: stage.id, maxRunning, most: room * 2 });
  const tenants = (await tx.run<{ tenant: number }>(...query)).map(({ tenant }) => tenant);
  const limited = await tx.run<{ id: number }>(...FIND_LIMITED({ tenants: numbers(tenants), maxRunning }));
  await lock(
    tx,
    core.connections.target.schema,
    limited.map(({ id }) => `places ${id}`),
  );
  return tenants;
}
