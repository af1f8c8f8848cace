// CLAIM: takes jobs for the free processors of a stage, and gives a lease for each.
//
//   claim ──▶ quick ─────────────all processors served─────────────▶ leases
//               │ no recent look, or too few jobs                      ▲
//               ▼                                                      │
//             look ──▶ paused, next stage full, no jobs: no leases     │
//               │                                                      │
//               ├──a pace, a limit, weights──▶ bounded ──rounds────────┤
//               └──otherwise─────────────────────▶ rounds ─────────────┘
//                                          each as bundle, rows or weighted
//
// | strategy | file        | runs when                                                  | does                                     |
// | quick    | here        | a look at most 50 ms ago saw ready jobs, nothing else      | one round from the marks, without a look |
// | bounded  | bounded.ts  | a pace, weights, or a limit on jobs that wait here         | all rounds in one transaction with locks |
// | weighted | weighted.ts | in a bounded claim, if tenants have weights                | shares the round among them by weight    |
// | bundle   | bundle.ts   | last stage, 20 or more free processors, jobs end soon      | writes one row for all jobs of a round   |
// | rows     | rows.ts     | otherwise                                                  | writes the row of each job               |
//
// Decision 28 has what each is worth. rounds.ts has the order within a claim, pick.ts which jobs a round takes, leases.ts what this
// process then holds. claim-queue.ts lets one claim of a stage run at a time; look.ts, which comes first, makes due jobs ready
// (claim-due.ts) and gives free concurrency keys to jobs that wait (keys/).

import { suspectsToClaim } from "../../../job/crash.ts";
import { SUSPECT } from "../../codes.ts";
import { claimFromEachInTurn } from "../../plans/claim-shares.ts";
import type { ClaimAnswer, ClaimRequest } from "../../verbs/attempts.ts";
import { endedBatches } from "../batches/ended.ts";
import { numbers } from "../connection/arrays.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";
import { type BoundedRounds, claimBounded, isBounded } from "./bounded.ts";
import { bundle } from "./bundle.ts";
import { type Look, lookAround } from "./look.ts";
import { type ClaimedRow, claimRounds, type Round } from "./rounds.ts";
import { claimSuspects, rows } from "./rows.ts";

const FIND_STAGES_WITH_JOBS = statement<{ stages: string }>(`SELECT asked.stage AS id
  FROM unnest(:stages::int[]) AS asked (stage)
  WHERE EXISTS (SELECT 1 FROM millrace.lane WHERE lane.stage = asked.stage AND lane.active)
    OR EXISTS (SELECT 1 FROM millrace.job WHERE standing = ${SUSPECT} AND job.stage = asked.stage)`);

export async function claim(core: Core, request: ClaimRequest): Promise<ClaimAnswer> {
  if (request.slots.length === 0) return { jobs: [] };
  if (core.instances.needsRenewal) await core.instances.renew();
  await core.names.loadKinds([request.kind]);
  const { kind, stage, renamedFrom = [] } = request;
  const { version } = core.names;
  const served = core.names.served(kind, [stage, ...renamedFrom]);
  const stages = await stagesWithJobs(core, served);
  const claimed = await claimFromEachInTurn(stages, request, (row, part) => claimFrom(core, row, part));
  if (claimed.jobs.length > 0) return claimed;
  // A plan of another process may have brought a stage row that this claim did not know, or a job of another row became due.
  const isAnotherPlan = core.names.version !== version;
  return isAnotherPlan || (await hasOthers(core, served, stages)) ? claim(core, request) : claimed;
}

/**
 * The rows of old plans stay while a job refers to them, so only those with jobs take turns. One row stays in any case,
 * to look for jobs that become due.
 */
async function stagesWithJobs(core: Core, served: readonly StageRow[]): Promise<readonly StageRow[]> {
  if (served.length <= 1) return served;
  const withJobs = await findStagesWithJobs(core, served);
  return withJobs.length > 0 ? withJobs : served.slice(-1);
}

/** Whether rows have jobs that were not looked at: the look at one row makes the due jobs of all rows ready. */
async function hasOthers(core: Core, served: readonly StageRow[], looked: readonly StageRow[]): Promise<boolean> {
  if (served.length === looked.length) return false;
  const known = new Set(looked.map(({ id }) => id));
  return (await findStagesWithJobs(core, served)).some(({ id }) => !known.has(id));
}

async function findStagesWithJobs(core: Core, served: readonly StageRow[]): Promise<StageRow[]> {
  const query = FIND_STAGES_WITH_JOBS({ stages: numbers(served.map(({ id }) => id)) });
  const found = new Set((await core.connections.write.run<{ id: number }>(...query)).map(({ id }) => id));
  return served.filter(({ id }) => found.has(id));
}

async function claimFrom(core: Core, stage: StageRow, request: ClaimRequest): Promise<ClaimAnswer> {
  const context = { stage, request, ids: core.ids, startedAt: core.clock.monotonic() };
  const hold = async (claimed: ClaimedRow[]) => {
    const jobs = await core.leases.hold(context, claimed);
    const ended = await endedBatches(core, claimed);
    for (const [i, { id }] of claimed.entries()) {
      const batch = ended.size > 0 ? ended.get(id) : undefined;
      const job = jobs[i];
      if (batch && job) job.workflow = { ...job.workflow, batch };
    }
    return jobs;
  };
  const quick = await claimQuickly(core, stage, request);
  const jobs = await hold(quick?.rows ?? []);
  if (quick?.isEnough) return { jobs, ...at(quick.nextDueAt) };
  try {
    const rest = { ...request, slots: request.slots.slice(jobs.length) };
    const { rows, ...more } = await lookAndClaim(core, stage, rest);
    return { jobs: [...jobs, ...(await hold(rows))], ...more };
  } catch (error) {
    if (jobs.length === 0) throw error;
    return { jobs };
  }
}

/** One statement while there is plenty to do. If it leaves processors free, the whole look follows for the rest of them. */
async function claimQuickly(core: Core, stage: StageRow, request: ClaimRequest) {
  const look = mayBeQuick(core, stage, request)
    ? core.looks.stillTrue(stage, { at: core.clock.monotonic(), now: core.clock.now() })
    : undefined;
  if (!look) return undefined;
  const round = await claimReady(core, stage, request.slots);
  core.marks.advance(stage.id, round.rows);
  // Every lane has given its share, although a few processors may be free.
  const isEnough = round.rows.length > request.slots.length - Math.max(1, round.lanes);
  if (!isEnough) core.looks.forget(stage);
  return { rows: round.rows, isEnough, nextDueAt: look.nextDueAt };
}

function mayBeQuick(core: Core, stage: StageRow, request: ClaimRequest): boolean {
  // With a clock that a test sets by hand, a look would be recent for ever.
  if (core.clock.given !== null || isBounded(core, stage, request, { hasLimitedTenants: false })) return false;
  // Before a claim of a kind with keys, free keys go to jobs that wait.
  if (core.names.rules(stage.kind).concurrency?.keyed) return false;
  const { next, position } = stage;
  return core.options.limits.queueMax === 0 || (next === undefined && position === 0);
}

/** The strategy of a round is chosen by its own size: the last rounds of a large claim are small. */
function claimReady(core: Core, stage: StageRow, slots: number[]): Promise<Round> {
  const strategy = bundle.suits(core, stage, slots.length) ? bundle : rows;
  return strategy.claim(core, stage, slots);
}

type ClaimedRows = Omit<ClaimAnswer, "jobs"> & { rows: ClaimedRow[] };

async function lookAndClaim(core: Core, stage: StageRow, request: ClaimRequest): Promise<ClaimedRows> {
  const look = await lookAround(core, stage);
  if (look.paused || look.isNextFull) return { rows: [] };
  const suspects = suspectsFor(core, stage, request, look);
  if (!look.hasLanes && suspects === 0) {
    return { rows: [], ...at(look.nextDueAt), ...(look.suspects > 0 && suspectsWait(look)) };
  }
  // How long jobs before the marks may wait until a claim reads from the beginning again.
  const restMs = core.clock.given === null ? core.marks.restMs(stage.id) : 0;
  const limited = { ...request, suspects };
  const isLimited = isBounded(core, stage, request, look);
  const found: BoundedRounds = isLimited
    ? await claimBounded(core, stage, limited, look)
    : await claimUnbounded(core, stage, limited, look, { fromMarks: restMs > 0 });
  const hasFree = found.rows.length < request.slots.length;
  if (hasFree) core.looks.forget(stage);
  if (look.isFull && found.rows.length > 0) wakeStageBefore(core);
  const isPaced = found.nextStartAt !== undefined;
  const readAgainAt = hasFree && restMs > 0 && !isLimited ? core.clock.now() + restMs : undefined;
  return {
    rows: found.rows,
    ...at(found.nextStartAt ?? earliest(readAgainAt, look.nextDueAt)),
    ...(look.suspects > found.suspectCount && !(isPaced && found.rows.length === 0) && suspectsWait(look)),
  };
}

function claimUnbounded(
  core: Core,
  stage: StageRow,
  request: ClaimRequest,
  { hasLanes }: Look,
  { fromMarks }: { fromMarks: boolean },
) {
  const source = {
    isBounded: false,
    ready: (slots: number[]) => claimReady(core, stage, slots),
    suspects: (slots: number[]) => claimSuspects(core.connections.write, core, stage, slots),
  };
  return claimRounds(core, stage, source, { request, room: request.slots.length, hasLanes, fromMarks });
}

function suspectsFor(core: Core, stage: StageRow, request: ClaimRequest, look: Look): number {
  if (look.suspects === 0) return 0;
  const facts = { lastDeathAt: look.lastDeathAt ?? 0, mostCrashes: look.mostCrashes ?? 0 };
  return suspectsToClaim(request, facts, core.names.stageRules(stage));
}

function suspectsWait({ lastDeathAt }: Look): Pick<ClaimAnswer, "suspectsWait" | "lastDeathAt"> {
  return { suspectsWait: true, lastDeathAt: lastDeathAt ?? 0 };
}

/** Wakes the stage before this one: it waited for room in this queue, and there is some now. */
function wakeStageBefore(core: Core): void {
  core.voice.say("work");
  core.events.wake();
}

function at(moment: number | null | undefined): Pick<ClaimAnswer, "nextAt"> {
  return moment === null || moment === undefined ? {} : { nextAt: moment };
}

function earliest(readAgainAt: number | undefined, nextDueAt: number | null): number | null {
  if (readAgainAt === undefined) return nextDueAt;
  return Math.ceil(Math.min(readAgainAt, nextDueAt ?? Number.POSITIVE_INFINITY));
}
