// What a claim must know of its stage before it takes a job: what is due, suspect, late, paused or full. Every part goes through a
// partial index, so the cost depends on the jobs that are taken and not on those that wait, are scheduled or are done.

import { READY, RUNNING, SCHEDULED, SUSPECT } from "../../codes.ts";
import { numbers } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import { failUnstarted } from "../control/deadlines.ts";
import type { Core } from "../core.ts";
import { takePlaces } from "../keys/places.ts";
import { NAMES_VERSION, type StageRow } from "../register/names.ts";
import { liftDue } from "./claim-due.ts";
import { NOT_BUNDLED } from "./pick.ts";

const HAS_SUSPECTS = `EXISTS (SELECT 1 FROM millrace.job WHERE standing = ${SUSPECT} AND job.stage = stage.id)`;
const HAS_OWN_LIMIT = "tenant.limited AND coalesce(tenant.max_running, 0) > 0";
/** Whether the queue of the stages has reached its limit. It counts no further than the limit. */
const isFull = (stages: string) => `:queueMax::int > 0 AND (
      SELECT count(*)
      FROM (
        SELECT 1
        FROM millrace.job
        WHERE standing = ${READY} AND job.stage = ANY(${stages}::int[]) AND ${NOT_BUNDLED}
        LIMIT :queueMax
      ) AS counted
    ) >= :queueMax::int`;

// Each part has the order of its index: before the first ANALYZE the planner would rather read the whole table (7 ms at 150,000
// jobs).
const LOOK = statement<LookParameters>(`SELECT ${nowBy(":now")} AS now,
    kind.paused,
    EXISTS (SELECT 1 FROM millrace.lane WHERE lane.stage = stage.id AND lane.active) AS "hasLanes",
    (
      SELECT count(*)::int
      FROM (
        SELECT 1
        FROM millrace.job
        WHERE standing = ${SUSPECT} AND job.stage = stage.id
        ORDER BY priority, run_at
        LIMIT 1000
      ) AS counted
    ) AS suspects,
    CASE WHEN ${HAS_SUSPECTS} THEN
      (SELECT max(crashes) FROM millrace.job WHERE standing = ${SUSPECT} AND job.stage = stage.id)
    END AS "mostCrashes",
    CASE WHEN ${HAS_SUSPECTS} THEN (SELECT max(died_at) FROM millrace.instance) END AS "lastDeathAt",
    (SELECT run_at FROM millrace.job WHERE standing = ${SCHEDULED} ORDER BY run_at LIMIT 1) AS "nextDueAt",
    coalesce((
      SELECT expires_at
      FROM millrace.job
      WHERE expires_at IS NOT NULL AND standing < ${RUNNING}
      ORDER BY expires_at
      LIMIT 1
    ) <= ${nowBy(":now")}, false) AS "hasLate",
    :hasOwnLimits::boolean AND (
      EXISTS (
        SELECT 1
        FROM millrace.tenant JOIN millrace.lane ON lane.stage = stage.id AND lane.tenant = tenant.id
        WHERE ${HAS_OWN_LIMIT} AND lane.active
      ) OR EXISTS (
        SELECT 1
        FROM millrace.job JOIN millrace.tenant ON tenant.id = job.tenant
        WHERE standing = ${SUSPECT} AND job.stage = stage.id AND ${HAS_OWN_LIMIT}
      )
    ) AS "hasLimitedTenants",
    ${isFull(":nextStages")} AS "isNextFull",
    ${isFull(":ownStages")} AS "isFull",
    ${NAMES_VERSION} AS version
  FROM millrace.stage
  JOIN millrace.kind ON kind.id = stage.kind
  WHERE stage.id = :stage`);

interface LookParameters {
  now: Value;
  stage: number;
  /** Some tenant of the store has a limit of its own on its running jobs. */
  hasOwnLimits: string;
  queueMax: number;
  nextStages: string;
  ownStages: string;
}

export interface Look {
  now: number;
  paused: boolean;
  /** The stage has lanes that may have ready jobs. */
  hasLanes: boolean;
  suspects: number;
  /** The crashes of the suspect that has most. */
  mostCrashes: number | null;
  lastDeathAt: number | null;
  nextDueAt: number | null;
  /** A job did not start in time, or a hold was not released in time. */
  hasLate: boolean;
  /** Jobs of tenants that have a limit of their own wait here. */
  hasLimitedTenants: boolean;
  /** The queue of the next stage has no room: this stage waits, because an accepted job is never dropped. */
  isNextFull: boolean;
  /** The stage before this one waits for room here. */
  isFull: boolean;
  version: string;
}

/** Makes due jobs ready and fails those that are late, before anything is claimed. */
export async function lookAround(core: Core, stage: StageRow): Promise<Look> {
  const isKeyed = core.names.rules(stage.kind).concurrency?.keyed === true;
  if (isKeyed) await takePlaces(core);
  const look = await lookOnce(core, stage);
  if (!hasDue(look) && !look.hasLate) return look;
  if (hasDue(look)) {
    await liftDue(core, core.connections.write);
    // Jobs with keys of other kinds are due as well.
    if (!isKeyed) await takePlaces(core);
  }
  if (look.hasLate) await failUnstarted(core);
  return lookOnce(core, stage);
}

async function lookOnce(core: Core, stage: StageRow): Promise<Look> {
  const askedAt = performance.now();
  const { queueMax } = core.options.limits;
  const hasNext = queueMax > 0 && stage.next !== undefined;
  const hasPrevious = queueMax > 0 && stage.position > 0;
  const query = LOOK({
    now: core.clock.given,
    stage: stage.id,
    hasOwnLimits: String(core.names.ownLimits.hasConcurrency),
    queueMax,
    nextStages: numbers(hasNext ? core.names.sharing(core.names.stage(stage.next as number)) : []),
    ownStages: numbers(hasPrevious ? core.names.sharing(stage) : []),
  });
  const [look] = (await core.connections.write.run<Look>(...query)) as [Look];
  core.clock.learn(look.now, askedAt);
  await core.names.changedTo(look.version);
  core.looks.remember(stage, look, core.clock.monotonic());
  return look;
}

function hasDue({ now, nextDueAt }: Look): boolean {
  return nextDueAt !== null && nextDueAt <= now;
}

/** Scheduled and suspect jobs wait no longer than this while a stage is busy. */
const RECENT_MS = 50;

interface CalmLook {
  at: number;
  nextDueAt: number | undefined;
}

/** Stages that had ready jobs, and nothing else to look after, when a claim last looked. */
export class RecentLooks {
  readonly #looks = new Map<number, CalmLook>();

  remember({ id }: StageRow, look: Look, at: number): void {
    const isCalm =
      !look.paused && look.suspects === 0 && !look.hasLate && !hasDue(look) && look.hasLanes && !look.hasLimitedTenants;
    if (isCalm) this.#looks.set(id, { at, nextDueAt: look.nextDueAt ?? undefined });
    else this.#looks.delete(id);
  }

  /** The last look at the stage, if nothing can have changed that a claim must look after. `at` is by the monotonic clock. */
  stillTrue({ id }: StageRow, { at, now }: { at: number; now: number }): CalmLook | undefined {
    const look = this.#looks.get(id);
    if (!look || at - look.at > RECENT_MS) return undefined;
    return look.nextDueAt === undefined || look.nextDueAt > now ? look : undefined;
  }

  /** A claim found fewer jobs than it wanted, so the next one looks again. */
  forget({ id }: StageRow): void {
    this.#looks.delete(id);
  }
}
