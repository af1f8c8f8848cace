import { HAS_EDGES } from "../../children/codes.ts";
import { HAS_ARTIFACTS, HAS_ATTEMPTS, HAS_LOGS, HAS_SHARES, HAS_STEPS } from "../../codes.ts";
import { HOLDS_KEY } from "../../keys/codes.ts";
import { HAS_STREAMS } from "../../streams/codes.ts";
import { HAS_SIGNALS, HAS_UNDOS, HAS_WAITS, IS_CONTINUED } from "../../waits/codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { leavePlaces } from "../keys/places.ts";

const BELONGINGS = [
  [HAS_STREAMS, "DELETE FROM millrace.stream_part WHERE job = ANY($1::bigint[])"],
  [HAS_STREAMS, "DELETE FROM millrace.stream WHERE job = ANY($1::bigint[])"],
  // Edges come before the waits, because they are found by them.
  [HAS_EDGES, "DELETE FROM millrace.edge WHERE wait IN (SELECT id FROM millrace.wait WHERE job = ANY($1::bigint[]))"],
  [HAS_EDGES, "DELETE FROM millrace.tree WHERE job = ANY($1::bigint[])"],
  [HAS_WAITS, "DELETE FROM millrace.wait WHERE job = ANY($1::bigint[])"],
  [HAS_SIGNALS, "DELETE FROM millrace.signal WHERE job = ANY($1::bigint[])"],
  [HAS_UNDOS, "DELETE FROM millrace.undo WHERE job = ANY($1::bigint[])"],
  [IS_CONTINUED | HAS_UNDOS, "DELETE FROM millrace.workflow WHERE job = ANY($1::bigint[])"],
  [HAS_STEPS, "DELETE FROM millrace.step WHERE job = ANY($1::bigint[])"],
  [HAS_LOGS, "DELETE FROM millrace.log WHERE job = ANY($1::bigint[])"],
  [HAS_ATTEMPTS, "DELETE FROM millrace.attempt WHERE job = ANY($1::bigint[])"],
  [HAS_SHARES, "DELETE FROM millrace.job_share WHERE job = ANY($1::bigint[])"],
  [HAS_ARTIFACTS, "DELETE FROM millrace.artifact WHERE job = ANY($1::bigint[])"],
] as const;

/** Deletes everything that jobs leave behind; their flags say which tables to touch. */
export async function deleteBelongings(tx: StatementRunner, jobs: { id: number; flags: number }[]): Promise<void> {
  for (const [flag, statement] of BELONGINGS) {
    const ids = jobs.filter(({ flags }) => flags & flag).map(({ id }) => id);
    if (ids.length > 0) await tx.run(statement, [numbers(ids)]);
  }
  await leavePlaces(
    tx,
    jobs.filter(({ flags }) => flags & HOLDS_KEY).map(({ id }) => id),
  );
}
