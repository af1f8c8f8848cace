// A race over waits. Plain Promise.race would pick a winner again in each attempt. This race stores its winner.

import { ChildFailed } from "../job/children.ts";
import type { RaceResult } from "../job/waiting.ts";
import { AppError } from "../lib/app-error.ts";
import type { WaitCall, WaitResult, Waits } from "./waits.ts";

export async function race<Members extends Record<string, Promise<unknown>>>(
  waits: Waits,
  name: string,
  members: Members,
): Promise<RaceResult<Members>> {
  const call = `ctx.race("${name}")`;
  const entries = Object.entries(members ?? {}).map(([key, promise]) => memberOf(waits, call, key, promise));
  if (entries.length === 0) throw new AppError("invalid-request", `${call} needs at least one member.`);
  const own = waits.nameRace(name, call);
  const decided = await waits.storedRace(own);
  if (decided !== undefined) return resultOf<Members>(decided, await winnerOf(entries, decided));
  const answers = await Promise.all(entries.map(async (entry) => ({ ...entry, answer: await entry.call.answered })));
  const first = earliest(answers);
  // All members are open waits: the attempt is suspended for them, and the next one comes here again.
  if (!first) return new Promise(() => {});
  const { answer } = first;
  const end =
    "error" in answer
      ? { failed: { jobId: answer.error.jobId, failure: answer.error.failure } }
      : { value: answer.value };
  const result = JSON.stringify({ winner: first.key, ...end });
  const losers = entries.filter(({ key }) => key !== first.key);
  await waits.decideRace({
    name: own,
    value: result,
    closes: losers.map(({ call: { wait } }) => ({ type: wait.type, name: wait.name })),
  });
  return resultOf<Members>(result, answer);
}

/** A child that failed first fails the race. */
function resultOf<Members extends Record<string, Promise<unknown>>>(
  stored: string,
  answer?: WaitResult,
): RaceResult<Members> {
  const { winner, value, failed } = JSON.parse(stored) as {
    winner: string;
    value?: unknown;
    failed?: Pick<ChildFailed, "jobId" | "failure">;
  };
  if (failed) throw new ChildFailed(failed.jobId, failed.failure);
  return { winner, value: answer && "value" in answer ? answer.value : value } as RaceResult<Members>;
}

/** The value comes from the wait that won, so that it has the type that its schema gives it, in every attempt. */
async function winnerOf(
  entries: readonly { key: string; call: WaitCall }[],
  decided: string,
): Promise<WaitResult | undefined> {
  const { winner } = JSON.parse(decided) as { winner: string };
  return entries.find(({ key }) => key === winner)?.call.answered;
}

function memberOf(waits: Waits, call: string, key: string, promise: Promise<unknown>): { key: string; call: WaitCall } {
  const found = waits.callOf(promise);
  if (found) return { key, call: found };
  throw new AppError("invalid-request", `The member "${key}" of ${call} is not a wait.`, {
    hint: 'Pass what ctx.sleep(), ctx.waitForSignal(), ctx.waitForEvent(), ctx.waitForApproval() or ctx.runChild() returned, without "await".',
  });
}

/** Equal times go by the order of the members. */
function earliest<Entry extends { answer: WaitResult | undefined }>(
  entries: Entry[],
): (Entry & { answer: WaitResult }) | undefined {
  let first: (Entry & { answer: WaitResult }) | undefined;
  for (const entry of entries) {
    if (entry.answer && (!first || entry.answer.at < first.answer.at)) first = entry as Entry & { answer: WaitResult };
  }
  return first;
}
