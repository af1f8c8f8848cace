// A race over waits. Plain Promise.race would pick the winner anew in each attempt; this one stores it.

import type { RaceResult } from "../job/waiting.ts";
import { AppError } from "../lib/app-error.ts";
import type { WaitCall, Waits } from "./waits.ts";

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
  if (decided !== undefined) return JSON.parse(decided) as RaceResult<Members>;
  const answers = await Promise.all(entries.map(async (entry) => ({ ...entry, answer: await entry.call.answered })));
  const first = earliest(answers);
  // All members are open waits: the attempt is suspended for them, and the next one comes here again.
  if (!first) return new Promise(() => {});
  const result = { winner: first.key, value: first.answer.value };
  const losers = entries.filter(({ key }) => key !== first.key);
  await waits.decideRace({
    name: own,
    value: JSON.stringify(result),
    closes: losers.map(({ call: { wait } }) => ({ type: wait.type, name: wait.name })),
  });
  return result as RaceResult<Members>;
}

function memberOf(waits: Waits, call: string, key: string, promise: Promise<unknown>): { key: string; call: WaitCall } {
  const found = waits.callOf(promise);
  if (found) return { key, call: found };
  throw new AppError("invalid-request", `The member "${key}" of ${call} is not a wait.`, {
    hint: 'Pass what ctx.sleep(), ctx.waitForSignal(), ctx.waitForEvent(), ctx.waitForApproval() or ctx.runChild() returned, without "await".',
  });
}

type Answer = { at: number; value: unknown };

/** Equal times go by the order of the members. */
function earliest<Entry extends { answer: Answer | undefined }>(
  entries: Entry[],
): (Entry & { answer: Answer }) | undefined {
  let first: (Entry & { answer: Answer }) | undefined;
  for (const entry of entries) {
    if (entry.answer && (!first || entry.answer.at < first.answer.at)) first = entry as Entry & { answer: Answer };
  }
  return first;
}
