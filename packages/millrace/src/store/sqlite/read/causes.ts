// Dead letters by their causes. Without a filter the index `job_cause` alone is read; a filter needs the rows.

import type { DeadLetterCause } from "../../../job/report/cause-page.ts";
import { FAILED } from "../../codes.ts";
import {
  CauseGroups,
  type CauseRow,
  causeOfRow,
  type FailureRow,
  MARKED,
  type UnmarkedRow,
} from "../../rows/cause-row.ts";
import type { JobFilter } from "../../verbs/job-filter.ts";
import type { ReadView } from "../core.ts";
import { conditions } from "./filter.ts";
import { byFailure, type SlicedRead } from "./slices.ts";

const SUMS = "count(*) AS count, min(finished_at) AS firstAt, max(finished_at) AS lastAt, max(id) AS sample";
const FAILURE = "stage, failure ->> '$.code' AS code, failure ->> '$.message' AS message";
const IS_MARKED = `cause >= '${MARKED.from}' AND cause < '${MARKED.to}'`;
/** A comparison with NULL is never true, so NULL is named. */
export const IS_UNMARKED = `(cause IS NULL OR cause < '${MARKED.from}' OR cause >= '${MARKED.to}')`;

const CAUSES_A_SLICE = 2_000;
const NEXT_CAUSES = `SELECT cause, ${SUMS} FROM job INDEXED BY job_cause
  WHERE standing = ${FAILED} AND cause >= ?1 AND cause < '${MARKED.to}' GROUP BY cause ORDER BY cause LIMIT ${CAUSES_A_SLICE}`;
const UNMARKED = `SELECT ${FAILURE}, ${SUMS} FROM job WHERE standing = ${FAILED} AND ${IS_UNMARKED} GROUP BY 1, 2, 3`;
const SAMPLES = `SELECT id, ${FAILURE} FROM job WHERE id IN (SELECT value FROM json_each(?))`;
const SAMPLES_A_SLICE = 500;

export function* deadLetterCauses(
  view: ReadView,
  { standings: _standings, ...filter }: JobFilter,
): SlicedRead<DeadLetterCause[]> {
  const groups = new CauseGroups();
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (isFiltered) yield* addMatching(view, filter, groups);
  else yield* addAll(view, groups);
  const { samples } = groups;
  const failures: FailureRow[] = [];
  for (let i = 0; i < samples.length; i += SAMPLES_A_SLICE) {
    const keys = JSON.stringify(samples.slice(i, i + SAMPLES_A_SLICE));
    failures.push(...(view.statement(SAMPLES).all(keys) as unknown as FailureRow[]));
    yield;
  }
  return groups.views(view, failures);
}

function* addAll(view: ReadView, groups: CauseGroups): SlicedRead<void> {
  for (let from = MARKED.from; ; ) {
    const rows = view.statement(NEXT_CAUSES).all(from) as unknown as CauseRow[];
    for (const row of rows) groups.add(row);
    yield;
    if (rows.length < CAUSES_A_SLICE) break;
    // The next string in the order of bytes.
    from = `${(rows.at(-1) as CauseRow).cause}\u0001`;
  }
  addUnmarked(view, view.statement(UNMARKED).all() as unknown as UnmarkedRow[], groups);
}

function* addMatching(view: ReadView, filter: JobFilter, groups: CauseGroups): SlicedRead<void> {
  const { where, values } = conditions(view, filter);
  const among = `FROM job ${where} AND standing = ${FAILED} AND id IN (SELECT value FROM json_each(?))`;
  const marked = view.statement(`SELECT cause, ${SUMS} ${among} AND ${IS_MARKED} GROUP BY cause`);
  const unmarked = view.statement(`SELECT ${FAILURE}, ${SUMS} ${among} AND ${IS_UNMARKED} GROUP BY 1, 2, 3`);
  yield* byFailure(view, { newestFirst: true }, (keys) => {
    for (const row of marked.all(...values, keys)) groups.add(row as unknown as CauseRow);
    addUnmarked(view, unmarked.all(...values, keys) as unknown as UnmarkedRow[], groups);
    return true;
  });
}

function addUnmarked(view: ReadView, rows: readonly UnmarkedRow[], groups: CauseGroups): void {
  for (const { stage, code, message, ...sums } of rows) {
    groups.add({ ...sums, cause: causeOfRow(view, { stage, code, message }) });
  }
}
