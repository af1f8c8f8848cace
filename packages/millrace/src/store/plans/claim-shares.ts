// Jobs of several plans can wait for one stage: during a rolling deploy, after a stage was renamed, or if some are pinned.
// Each of their stage rows gets an equal share of the free processors. A share that a row does not need goes to the others.

import { isSuspect } from "../../job/crash.ts";
import type { ClaimAnswer, ClaimRequest } from "../verbs/attempts.ts";
import type { StageRow } from "./catalog.ts";

/** The row that the next claim begins with, so that a single free processor serves all rows in turn. */
let turn = 0;

/** The parts of one claim, in order. Each part gets the processors that the parts before it left. */
function* sharesOf(
  stages: readonly StageRow[],
  request: ClaimRequest,
): Generator<{ stage: StageRow; part: ClaimRequest }, ClaimAnswer, ClaimAnswer> {
  const answers: ClaimAnswer[] = [];
  let { slots, suspects, group } = request;
  const first = stages.length > 1 ? turn++ % stages.length : 0;
  const inTurn = [...stages.slice(first), ...stages.slice(0, first)];
  // Two rounds: equal shares first, then the processors that are still free.
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

/** For a synchronous store. */
export function claimFromEach(
  stages: readonly StageRow[],
  request: ClaimRequest,
  claim: (stage: StageRow, part: ClaimRequest) => ClaimAnswer,
): ClaimAnswer {
  const [only] = stages;
  if (stages.length === 1) return claim(only as StageRow, request);
  const shares = sharesOf(stages, request);
  let step = shares.next();
  while (!step.done) step = shares.next(claim(step.value.stage, step.value.part));
  return step.value;
}

/** For an asynchronous store. */
export async function claimFromEachInTurn(
  stages: readonly StageRow[],
  request: ClaimRequest,
  claim: (stage: StageRow, part: ClaimRequest) => Promise<ClaimAnswer>,
): Promise<ClaimAnswer> {
  const [only] = stages;
  if (stages.length === 1) return claim(only as StageRow, request);
  const shares = sharesOf(stages, request);
  let took = 0;
  let step = shares.next();
  while (!step.done) {
    const answer = await claim(step.value.stage, step.value.part).catch((error: unknown): ClaimAnswer => {
      // Jobs of earlier parts are already claimed, so the caller must get them.
      if (took === 0) throw error;
      return { jobs: [] };
    });
    took += answer.jobs.length;
    step = shares.next(answer);
  }
  return step.value;
}

function together(answers: readonly ClaimAnswer[]): ClaimAnswer {
  const nextAt = Math.min(...answers.map((answer) => answer.nextAt ?? Number.POSITIVE_INFINITY));
  const waits = answers.find(({ suspectsWait }) => suspectsWait);
  return {
    jobs: answers.flatMap(({ jobs }) => jobs),
    ...(Number.isFinite(nextAt) && { nextAt }),
    ...(waits && { suspectsWait: true }),
    ...(waits?.lastDeathAt !== undefined && { lastDeathAt: waits.lastDeathAt }),
  };
}
