// Work that a transaction leaves for many jobs (left-work.ts does it).

import type { LeftWork } from "../../children/codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import type { Core } from "../core.ts";

const LEAVE = `INSERT INTO millrace.left_work (what, ref, at)
  SELECT $1::int, ref, $3::bigint FROM unnest($2::bigint[]) AS ref
  RETURNING id, what, ref`;

/** Leaves work to be done after the commit. A process that dies before it is done leaves it to the others. */
export async function leaveWork(
  core: Core,
  tx: OwnTransaction,
  { what, refs, now }: { what: number; refs: readonly number[]; now: number },
): Promise<void> {
  const left = await tx.run<LeftWork>(LEAVE, [what, numbers(refs), now]);
  tx.afterCommit(() => core.doLeftWork(left));
}

/** Makes the pools of all processes look for work, because jobs became ready that no caller knows of. */
export function tellOfWork(core: Core): void {
  core.voice.say("work");
  core.events.wake();
}
