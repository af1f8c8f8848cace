import { FAILED } from "../../codes.ts";
import { causeOfRow, type FailureRow } from "../../rows/cause-row.ts";
import { numbers, texts } from "../connection/arrays.ts";
import type { Core } from "../core.ts";
import { IS_UNMARKED } from "../read/causes.ts";

const UNMARKED = `SELECT id, stage, failure::json ->> 'code' AS code, failure::json ->> 'message' AS message
  FROM millrace.finished
  WHERE standing = ${FAILED} AND ${IS_UNMARKED}
  LIMIT $1
  FOR UPDATE SKIP LOCKED`;
const MARK = `UPDATE millrace.finished SET cause = marked.cause
  FROM (SELECT unnest($1::bigint[]) AS id, unnest($2::text[]) AS cause) AS marked
  WHERE finished.id = marked.id`;

/** One small batch, so that it takes a few milliseconds and vacuum keeps up. */
export function markCauses(core: Core, { limit }: { limit: number }): Promise<number> {
  return core.connections.write.transact(async (tx) => {
    const rows = await tx.run<FailureRow>(UNMARKED, [limit]);
    if (rows.length === 0) return 0;
    await core.names.knowStages(rows.map(({ stage }) => stage));
    await tx.run(MARK, [numbers(rows.map(({ id }) => id)), texts(rows.map((row) => causeOfRow(core, row)))]);
    return rows.length;
  });
}
