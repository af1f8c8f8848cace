import { HAS_ARTIFACTS, HAS_ATTEMPTS, HAS_LOGS, HAS_SHARES, HAS_STEPS } from "../../codes.ts";
import { HAS_SIGNALS, HAS_WAITS } from "../../waits/codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { Runner } from "../connection/connection.ts";

const BELONGINGS = [
  [HAS_WAITS, "DELETE FROM millrace.wait WHERE job = ANY($1::bigint[])"],
  [HAS_SIGNALS, "DELETE FROM millrace.signal WHERE job = ANY($1::bigint[])"],
  [HAS_STEPS, "DELETE FROM millrace.step WHERE job = ANY($1::bigint[])"],
  [HAS_LOGS, "DELETE FROM millrace.log WHERE job = ANY($1::bigint[])"],
  [HAS_ATTEMPTS, "DELETE FROM millrace.attempt WHERE job = ANY($1::bigint[])"],
  [HAS_SHARES, "DELETE FROM millrace.job_share WHERE job = ANY($1::bigint[])"],
  [HAS_ARTIFACTS, "DELETE FROM millrace.artifact WHERE job = ANY($1::bigint[])"],
] as const;

/** All that jobs leave behind; their flags say which tables to touch. */
export async function deleteBelongings(tx: Runner, jobs: { id: number; flags: number }[]): Promise<void> {
  for (const [flag, statement] of BELONGINGS) {
    const ids = jobs.filter(({ flags }) => flags & flag).map(({ id }) => id);
    if (ids.length > 0) await tx.run(statement, [numbers(ids)]);
  }
}
