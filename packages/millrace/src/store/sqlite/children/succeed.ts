// The successor of a job that continues as new takes its place, in the commit that ends it.

import { RUNS_YET } from "../../children/codes.ts";
import { QUEUED } from "../../waits/codes.ts";
import type { Core } from "../core.ts";

const LINK_OLD = "UPDATE job SET retried_as = ?2 WHERE id = ?1";
const LINK_NEW = "UPDATE job SET retry_of = ?1 WHERE id = ?2";
const TAKE_KEY = "UPDATE unique_key SET job = ?2 WHERE job = ?1";
const TAKE_SIGNALS = `UPDATE signal SET job = ?2 WHERE job = ?1 AND state = ${QUEUED}`;
const TAKE_PLACES = `UPDATE edge SET job = ?2 WHERE job = ?1 AND state = ${RUNS_YET}`;

export function succeed(core: Core, old: number, key: number): void {
  for (const sql of [LINK_OLD, LINK_NEW, TAKE_KEY, TAKE_SIGNALS, TAKE_PLACES]) core.statement(sql).run(old, key);
  core.wakePools();
}
