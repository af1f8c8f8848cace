// Jobs of several plans may wait for one stage: while a deployment rolls out, after a stage was renamed, where some are pinned.
// Each of their rows gets an equal share of the free processors, and what it does not need goes to the others.

import { isSuspect } from "../job/crash.ts";
import type { StageRow } from "./catalog.ts";
import type { Claimed, ClaimRequest } from "./store.ts";

/** Where the next claim begins, so that a single free processor serves all rows in turn. */
let turn = 0;

/** The parts of one claim, one after the other: each is told what the ones before it left. */
function* sharesOf(
  stages: readonly StageRow[],
  request: ClaimRequest,
): Generator<{ stage: StageRow; part: ClaimRequest }, Claimed, Claimed> {
  const answers: Claimed[] = [];
  let { slots, suspects, group } = request;
  const first = stages.length > 1 ? turn++ % stages.length : 0;
  const inTurn = [...stages.slice(first), ...stages.slice(0, first)];
  // Twice: an equal share first, then what the others left over.
  for (const share of inTurn.length > 1 ? [true, false] : [false]) {
    for (const [i, stage] of inTurn.entries()) {
      if (slots.length === 0) break;
      const count = share ? Math.ceil(slots.length / (inTurn.length - i)) : slots.length;
      const part = { ...request, slots: slots.slice(0, count), suspects, ...(group && { group }) };
      const answer = yield { stage, part };
      slots = slots.slice(answer.jobs.length);
      const taken = answer.jobs.filter(isSuspect).length;
      suspects = Math.max(0, suspects - taken);
      if (group) group = { ...group, running: group.running + taken };
      answers.push(answer);
    }
  }
  return together(answers);
}

/** For a store that answers at once. */
export function claimFromEach(
  stages: readonly StageRow[],
  request: ClaimRequest,
  claim: (stage: StageRow, part: ClaimRequest) => Claimed,
): Claimed {
  const [only] = stages;
  if (stages.length === 1) return claim(only as StageRow, request);
  const shares = sharesOf(stages, request);
  let step = shares.next();
  while (!step.done) step = shares.next(claim(step.value.stage, step.value.part));
  return step.value;
}

/** For a store that answers later. */
export async function claimFromEachInTurn(
  stages: readonly StageRow[],
  request: ClaimRequest,
  claim: (stage: StageRow, part: ClaimRequest) => Promise<Claimed>,
): Promise<Claimed> {
  const [only] = stages;
  if (stages.length === 1) return claim(only as StageRow, request);
  const shares = sharesOf(stages, request);
  let took = 0;
  let step = shares.next();
  while (!step.done) {
    const answer = await claim(step.value.stage, step.value.part).catch((error: unknown): Claimed => {
      // What the parts before took is written, and the caller must have it.
      if (took === 0) throw error;
      return { jobs: [] };
    });
    took += answer.jobs.length;
    step = shares.next(answer);
  }
  return step.value;
}

function together(answers: readonly Claimed[]): Claimed {
  const nextAt = Math.min(...answers.map((answer) => answer.nextAt ?? Number.POSITIVE_INFINITY));
  const waits = answers.find(({ suspectsWait }) => suspectsWait);
  return {
    jobs: answers.flatMap(({ jobs }) => jobs),
    ...(Number.isFinite(nextAt) && { nextAt }),
    ...(waits && { suspectsWait: true }),
    ...(waits?.lastDeathAt !== undefined && { lastDeathAt: waits.lastDeathAt }),
  };
}
