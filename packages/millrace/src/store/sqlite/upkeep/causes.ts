import { FAILED } from "../../codes.ts";
import { causeOfRow, type FailureRow } from "../../rows/cause-row.ts";
import type { Core } from "../core.ts";
import { IS_UNMARKED } from "../read/causes.ts";

const UNMARKED = `SELECT id, stage, failure ->> '$.code' AS code, failure ->> '$.message' AS message FROM job
  WHERE standing = ${FAILED} AND ${IS_UNMARKED} LIMIT ?`;
const MARK = "UPDATE job SET cause = ? WHERE id = ?";

/** One small batch, so that the write lock lasts a few milliseconds. */
export function markCauses(core: Core, { limit }: { limit: number }): number {
  const rows = core.statement(UNMARKED).all(limit) as unknown as FailureRow[];
  for (const row of rows) core.statement(MARK).run(causeOfRow(core, row), row.id);
  return rows.length;
}
