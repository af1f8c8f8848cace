// A claim takes jobs in rounds until its free processors are served: suspects first, then ready jobs, then suspects again if
// processors are still free. A source says how a round finds and writes its jobs.

import { suspectShare } from "../../../job/crash.ts";
import type { ClaimedColumns } from "../../rows/claimed-job.ts";
import type { ClaimRequest } from "../../verbs/attempts.ts";
import type { Core } from "../core.ts";
import type { StageRow } from "../register/names.ts";

/** A claimed job as its round gives it. */
export interface ClaimedRow extends ClaimedColumns {
  payload: string;
  tenant_name: string;
  slot: number;
  now: number;
  /** The number of the bundle that the job is in. Missing: the row of the job says that it runs. */
  bundle?: number;
  /** The row must say that the job runs, because other processes ask for it. */
  needsRow?: boolean;
}

export interface Round {
  rows: ClaimedRow[];
  /** How many lanes had ready jobs. */
  lanes: number;
}

/** How a round of ready jobs is written. claim.ts chooses the strategy of each round. */
export interface ClaimStrategy {
  suits(core: Core, stage: StageRow, count: number): boolean;
  claim(core: Core, stage: StageRow, slots: number[]): Promise<Round>;
}

/** Where the rounds of one claim come from. Each call claims at most one job for each slot. */
export interface RoundSource {
  ready(slots: number[]): Promise<Round>;
  suspects(slots: number[]): Promise<ClaimedRow[]>;
  /** All rounds are one transaction, in which a limit holds. */
  isBounded: boolean;
}

export interface RoundsRequest {
  request: ClaimRequest;
  /** How many jobs the claim may take. */
  room: number;
  /** The stage has lanes that may have ready jobs. */
  hasLanes: boolean;
  /** Start where the last claim ended (marks.ts). */
  fromMarks: boolean;
}

export interface ClaimedRounds {
  rows: ClaimedRow[];
  suspectCount: number;
}

export async function claimRounds(
  core: Core,
  stage: StageRow,
  source: RoundSource,
  request: RoundsRequest,
): Promise<ClaimedRounds> {
  const claimed: ClaimedRounds = { rows: [], suspectCount: 0 };
  const startedAt = performance.now();
  if (!request.fromMarks) core.marks.forget(stage.id);
  try {
    await run(core, stage, source, request, claimed);
  } catch (error) {
    // Earlier rounds are committed, so the caller must get their jobs. A transaction that failed has claimed nothing.
    if (source.isBounded || claimed.rows.length === 0) throw error;
    return claimed;
  }
  if (!request.fromMarks) {
    const bundled = claimed.rows.some(({ bundle }) => bundle !== undefined);
    core.marks.lookedThrough(stage.id, performance.now() - startedAt, { jobs: claimed.rows.length, bundled });
  }
  return claimed;
}

async function run(
  core: Core,
  stage: StageRow,
  source: RoundSource,
  { request, room, hasLanes }: RoundsRequest,
  claimed: ClaimedRounds,
): Promise<void> {
  const { rows } = claimed;
  const free = () => request.slots.slice(rows.length, room);

  const claimSuspects = async (most: number) => {
    while (claimed.suspectCount < most && rows.length < room) {
      const found = await source.suspects(free().slice(0, most - claimed.suspectCount));
      if (found.length === 0) return;
      claimed.suspectCount += found.length;
      rows.push(...found);
    }
  };

  await claimSuspects(Math.min(request.suspects, hasLanes ? suspectShare(room, request) : room));
  // A round that finds lanes but gets no job has lost its jobs to another claim: it looks once more and then leaves them.
  for (let fruitless = 0; rows.length < room && fruitless < 2; ) {
    const round = await source.ready(free());
    rows.push(...round.rows);
    core.marks.advance(stage.id, round.rows);
    // A single lane was read to its end, unless a limit stopped the round before.
    if (round.lanes === 0 || (round.lanes === 1 && !source.isBounded)) break;
    if (round.rows.length === 0) fruitless++;
  }
  await claimSuspects(request.suspects);
}
