import { DETACHED, HAS_EDGES, HAS_WAITER, RUNS_YET } from "../../children/codes.ts";
import {
  COMPLETED,
  FAILED,
  FOLLOWS,
  HAS_ARTIFACTS,
  HAS_ATTEMPTS,
  HAS_LOGS,
  HAS_SHARES,
  HAS_STEPS,
  HAS_UNIQUE_KEY,
  READY,
  RUNNING,
  SCHEDULED,
  SUSPECT,
} from "../../codes.ts";
import { HOLDS_KEY, KEYED } from "../../keys/codes.ts";
import { HAS_STREAMS } from "../../streams/codes.ts";
import { HAS_SIGNALS, HAS_UNDOS, HAS_WAITS, IS_CONTINUED, OPEN, WAITING } from "../../waits/codes.ts";
import type { StatementRunner } from "./connection.ts";

/** Each statement finds rows that must not exist: rows without an owner, and jobs that no claim would ever find. */
const MUST_BE_EMPTY = {
  "ready job without an active lane": `SELECT job.id AS what FROM millrace.job WHERE standing = ${READY} AND NOT EXISTS
    (SELECT 1 FROM millrace.lane WHERE lane.stage = job.stage AND lane.tenant = job.tenant AND active)`,
  "job at a stage that is not there":
    "SELECT id AS what FROM millrace.every_job WHERE stage NOT IN (SELECT id FROM millrace.stage)",
  "attempt at a stage that is not there":
    "SELECT job AS what FROM millrace.attempt WHERE stage NOT IN (SELECT id FROM millrace.stage)",
  "step at a stage that is not there":
    "SELECT job AS what FROM millrace.step WHERE stage NOT IN (SELECT id FROM millrace.stage)",
  "job in both tables": "SELECT id AS what FROM millrace.job JOIN millrace.finished USING (id)",
  "step without a job": `SELECT job AS what FROM millrace.step
    WHERE job NOT IN (SELECT id FROM millrace.every_job WHERE flags & ${HAS_STEPS} > 0)`,
  "log line without a job": `SELECT job AS what FROM millrace.log
    WHERE job NOT IN (SELECT id FROM millrace.every_job WHERE flags & ${HAS_LOGS} > 0)`,
  "attempt without a job": `SELECT job AS what FROM millrace.attempt
    WHERE job NOT IN (SELECT id FROM millrace.every_job WHERE flags & ${HAS_ATTEMPTS} > 0)`,
  "artifact without a job": `SELECT job AS what FROM millrace.artifact
    WHERE job NOT IN (SELECT id FROM millrace.every_job WHERE flags & ${HAS_ARTIFACTS} > 0)`,
  "share of no job": `SELECT job AS what FROM millrace.job_share
    WHERE job NOT IN (SELECT id FROM millrace.every_job WHERE flags & ${HAS_SHARES} > 0)`,
  "job that names what is not shared":
    "SELECT job AS what FROM millrace.job_share WHERE key NOT IN (SELECT key FROM millrace.shared)",
  "wait without a job": `SELECT job AS what FROM millrace.wait
    WHERE job NOT IN (SELECT id FROM millrace.every_job WHERE flags & ${HAS_WAITS} > 0)`,
  "open wait of a finished job": `SELECT job AS what FROM millrace.wait WHERE state = ${OPEN}
    AND job IN (SELECT id FROM millrace.finished)`,
  "signal without a job": `SELECT job AS what FROM millrace.signal
    WHERE job NOT IN (SELECT id FROM millrace.every_job WHERE flags & ${HAS_SIGNALS} > 0)`,
  "workflow without a job": `SELECT job AS what FROM millrace.workflow
    WHERE job NOT IN (SELECT id FROM millrace.every_job WHERE flags & ${IS_CONTINUED | HAS_UNDOS} > 0)`,
  "undo without a job": `SELECT job AS what FROM millrace.undo
    WHERE job NOT IN (SELECT id FROM millrace.every_job WHERE flags & ${HAS_UNDOS} > 0)`,
  "stream without a job": `SELECT job AS what FROM millrace.stream
    WHERE job NOT IN (SELECT id FROM millrace.every_job WHERE flags & ${HAS_STREAMS} > 0)`,
  "part without a stream": `SELECT job AS what FROM millrace.stream_part AS part WHERE NOT EXISTS
    (SELECT 1 FROM millrace.stream WHERE stream.job = part.job AND stream.name = part.name AND part.number <= stream.last)`,
  "stream whose bytes are not those of its parts": `SELECT job AS what FROM millrace.stream WHERE bytes <>
    (SELECT coalesce(sum(octet_length(data)), 0) FROM millrace.stream_part AS part
      WHERE part.job = stream.job AND part.name = stream.name AND count > 0)`,
  "job that waits for nothing": `SELECT id AS what FROM millrace.job WHERE flags & ${WAITING} > 0
    AND (standing <> ${SCHEDULED} OR NOT EXISTS (SELECT 1 FROM millrace.wait WHERE wait.job = job.id AND state = ${OPEN}))`,
  "edge of no wait and no batch": `SELECT id AS what FROM millrace.edge
    WHERE NOT EXISTS (SELECT 1 FROM millrace.wait WHERE wait.id = edge.wait)
    AND NOT EXISTS (SELECT 1 FROM millrace.batch WHERE batch.id = edge.batch)`,
  "open edge of a finished job": `SELECT edge.id AS what FROM millrace.edge JOIN millrace.finished ON finished.id = edge.job
    WHERE edge.state = ${RUNS_YET} AND edge.type <> ${DETACHED}`,
  "edge that the end of its job would not mark": `SELECT edge.id AS what FROM millrace.edge JOIN millrace.job ON job.id = edge.job
    WHERE edge.state = ${RUNS_YET} AND edge.type <> ${DETACHED} AND flags & ${HAS_WAITER} = 0`,
  "tree of no job": `SELECT job AS what FROM millrace.tree WHERE job NOT IN (SELECT id FROM millrace.every_job
    WHERE flags & ${HAS_EDGES} > 0)`,
  "work that was left": "SELECT id AS what FROM millrace.left_work",
  "link to nothing": "SELECT link AS what FROM millrace.link WHERE shared NOT IN (SELECT id FROM millrace.shared)",
  "place of no job": `SELECT job AS what FROM millrace.place WHERE job NOT IN (SELECT id FROM millrace.every_job
    WHERE (standing < ${COMPLETED} OR standing = ${FAILED} AND holds) AND flags & ${KEYED} > 0 AND (flags & ${HOLDS_KEY} > 0) = holds
      AND concurrency_key = place.key)`,
  "key that is held without a place": `SELECT id AS what FROM millrace.every_job WHERE flags & ${HOLDS_KEY} > 0
    AND id NOT IN (SELECT job FROM millrace.place WHERE holds)`,
  "ready job that does not hold its key": `SELECT id AS what FROM millrace.job
    WHERE standing IN (${READY}, ${SUSPECT}, ${RUNNING})
    AND flags & ${KEYED} > 0 AND flags & ${HOLDS_KEY} = 0`,
  "unique key of no live job": `SELECT key AS what FROM millrace.unique_key
    WHERE job NOT IN (SELECT id FROM millrace.job WHERE flags & ${HAS_UNIQUE_KEY} > 0)`,
  "unique key that is not kept": `SELECT id AS what FROM millrace.job WHERE flags & ${HAS_UNIQUE_KEY} > 0 AND NOT EXISTS
    (SELECT 1 FROM millrace.unique_key WHERE unique_key.job = job.id)`,
  "follower that does not wait": `SELECT key AS what FROM millrace.follower
    WHERE job NOT IN (SELECT id FROM millrace.job WHERE standing = ${SCHEDULED} AND flags & ${FOLLOWS} > 0)`,
  "follower without a place": `SELECT id AS what FROM millrace.job WHERE flags & ${FOLLOWS} > 0
    AND id NOT IN (SELECT job FROM millrace.follower UNION ALL SELECT job FROM millrace.follower_caller)`,
  "follower of nothing": `SELECT key AS what FROM millrace.follower WHERE NOT EXISTS (SELECT 1 FROM millrace.unique_key
    WHERE unique_key.kind = follower.kind AND unique_key.tenant = follower.tenant AND unique_key.key = follower.key)`,
};

/** One statement with a value, which the server plans once for each connection: planning all of them took most of the time. */
const FIND_ALL = `SELECT sentence, what FROM (${Object.entries(MUST_BE_EMPTY)
  .map(([sentence, sql]) => `SELECT '${sentence}' AS sentence, what::text FROM (${sql}) AS found`)
  .join(" UNION ALL ")}) AS found WHERE sentence <> $1`;

/** For tests: the inconsistencies of a database, in words. */
export async function inspect(db: StatementRunner): Promise<string[]> {
  const found = await db.run<{ sentence: string; what: string }>(FIND_ALL, [""]);
  return found.map(({ sentence, what }) => `${sentence}: ${what}`);
}
