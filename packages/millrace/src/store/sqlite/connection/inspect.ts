import { DETACHED, HAS_EDGES, HAS_WAITER, RUNS_YET } from "../../children/codes.ts";
import {
  COMPLETED,
  FAILED,
  FOLLOWS,
  HAS_ARTIFACTS,
  HAS_ATTEMPTS,
  HAS_LARGE_PAYLOAD,
  HAS_LARGE_RESULT,
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
import { openReader } from "./database.ts";

/** Each statement finds rows that must not exist: wrong counters, and rows without an owner. */
const MUST_BE_EMPTY = {
  "tenant.running differs from the jobs that run": `SELECT tenant.name AS what FROM tenant WHERE running <>
    (SELECT count(*) FROM job WHERE job.tenant = tenant.id AND standing = ${RUNNING})`,
  "lane.ready differs from the jobs that are ready": `SELECT lane.tenant AS what FROM lane WHERE ready <>
    (SELECT count(*) FROM job WHERE job.tenant = lane.tenant AND job.stage = lane.stage AND standing = ${READY})`,
  "ready job without a lane": `SELECT job.id AS what FROM job WHERE standing = ${READY}
    AND NOT EXISTS (SELECT 1 FROM lane WHERE lane.stage = job.stage AND lane.tenant = job.tenant)`,
  "window_sum differs from its window": `SELECT what FROM window_sum WHERE count <>
    (SELECT coalesce(sum(count), 0) FROM window WHERE window.what = window_sum.what AND window.owner = window_sum.owner)`,
  "body without a job that has it": `SELECT body.id AS what FROM body LEFT JOIN job ON job.id = body.id / 2
    WHERE job.id IS NULL OR job.flags & (1 << (body.id % 2)) = 0`,
  "job without its body": `SELECT job.id AS what FROM job WHERE (flags & ${HAS_LARGE_PAYLOAD}
    AND NOT EXISTS (SELECT 1 FROM body WHERE body.id = job.id * 2))
    OR (flags & ${HAS_LARGE_RESULT} AND NOT EXISTS (SELECT 1 FROM body WHERE body.id = job.id * 2 + 1))`,
  "job at a stage that is not there": "SELECT id AS what FROM job WHERE stage NOT IN (SELECT id FROM stage)",
  "attempt at a stage that is not there": "SELECT job AS what FROM attempt WHERE stage NOT IN (SELECT id FROM stage)",
  "step at a stage that is not there": "SELECT job AS what FROM step WHERE stage NOT IN (SELECT id FROM stage)",
  "step without a job": `SELECT job AS what FROM step WHERE job NOT IN (SELECT id FROM job WHERE flags & ${HAS_STEPS})`,
  "log line without a job": `SELECT job AS what FROM log WHERE job NOT IN (SELECT id FROM job
    WHERE flags & ${HAS_LOGS})`,
  "attempt without a job": `SELECT job AS what FROM attempt WHERE job NOT IN (SELECT id FROM job
    WHERE flags & ${HAS_ATTEMPTS})`,
  "artifact without a job": `SELECT job AS what FROM artifacts.artifact WHERE job NOT IN (SELECT id FROM job
    WHERE flags & ${HAS_ARTIFACTS})`,
  "share of no job": `SELECT job AS what FROM job_share WHERE job NOT IN (SELECT id FROM job
    WHERE flags & ${HAS_SHARES})`,
  "job that names what is not shared":
    "SELECT job AS what FROM job_share WHERE key NOT IN (SELECT key FROM artifacts.shared)",
  "wait without a job": `SELECT job AS what FROM wait WHERE job NOT IN (SELECT id FROM job WHERE flags & ${HAS_WAITS})`,
  "open wait of a finished job": `SELECT job AS what FROM wait WHERE state = ${OPEN}
    AND job IN (SELECT id FROM job WHERE standing >= ${COMPLETED})`,
  "signal without a job": `SELECT job AS what FROM signal WHERE job NOT IN (SELECT id FROM job
    WHERE flags & ${HAS_SIGNALS})`,
  "workflow without a job": `SELECT job AS what FROM workflow WHERE job NOT IN (SELECT id FROM job
    WHERE flags & ${IS_CONTINUED | HAS_UNDOS})`,
  "undo without a job": `SELECT job AS what FROM undo WHERE job NOT IN (SELECT id FROM job WHERE flags & ${HAS_UNDOS})`,
  "stream without a job": `SELECT job AS what FROM stream WHERE job NOT IN (SELECT id FROM job
    WHERE flags & ${HAS_STREAMS})`,
  "part without a stream": `SELECT job AS what FROM stream_part AS part WHERE NOT EXISTS
    (SELECT 1 FROM stream WHERE stream.job = part.job AND stream.name = part.name AND part.number <= stream.last)`,
  "stream whose bytes are not those of its parts": `SELECT job AS what FROM stream WHERE bytes <>
    (SELECT coalesce(sum(octet_length(data)), 0) FROM stream_part AS part
      WHERE part.job = stream.job AND part.name = stream.name AND count > 0)`,
  "job that waits for nothing": `SELECT id AS what FROM job WHERE flags & ${WAITING}
    AND (standing <> ${SCHEDULED} OR NOT EXISTS (SELECT 1 FROM wait WHERE wait.job = job.id AND state = ${OPEN}))`,
  "edge of no wait and no batch": `SELECT id AS what FROM edge WHERE NOT EXISTS (SELECT 1 FROM wait
    WHERE wait.id = edge.wait) AND NOT EXISTS (SELECT 1 FROM batch WHERE batch.id = edge.batch)`,
  "open edge of a finished job": `SELECT edge.id AS what FROM edge JOIN job ON job.id = edge.job
    WHERE edge.state = ${RUNS_YET} AND edge.type <> ${DETACHED} AND standing >= ${COMPLETED}`,
  "edge that the end of its job would not mark": `SELECT edge.id AS what FROM edge JOIN job ON job.id = edge.job
    WHERE edge.state = ${RUNS_YET} AND edge.type <> ${DETACHED} AND NOT flags & ${HAS_WAITER}`,
  "tree of no job": `SELECT job AS what FROM tree WHERE job NOT IN (SELECT id FROM job WHERE flags & ${HAS_EDGES})`,
  "work that was left": "SELECT id AS what FROM left_work",
  "link to nothing": "SELECT link AS what FROM artifacts.link WHERE shared NOT IN (SELECT id FROM artifacts.shared)",
  "shared_sum differs from what is shared": `SELECT bytes AS what FROM artifacts.shared_sum WHERE bytes <>
    (SELECT coalesce(sum(size), 0) FROM artifacts.shared)`,
  "place of no job": `SELECT job AS what FROM place WHERE job NOT IN (SELECT id FROM job
    WHERE (standing < ${COMPLETED} OR standing = ${FAILED} AND holds)
    AND flags & ${KEYED} AND (flags & ${HOLDS_KEY} > 0) = holds AND concurrency_key = place.key)`,
  "key that is held without a place": `SELECT id AS what FROM job WHERE flags & ${HOLDS_KEY}
    AND id NOT IN (SELECT job FROM place WHERE holds)`,
  "ready job that does not hold its key": `SELECT id AS what FROM job
    WHERE standing IN (${READY}, ${SUSPECT}, ${RUNNING}) AND flags & ${KEYED}
    AND NOT flags & ${HOLDS_KEY}`,
  "unique key of no live job": `SELECT key AS what FROM unique_key WHERE job NOT IN (SELECT id FROM job
    WHERE standing < ${COMPLETED} AND flags & ${HAS_UNIQUE_KEY})`,
  "follower that does not wait": `SELECT key AS what FROM follower
    WHERE job NOT IN (SELECT id FROM job WHERE standing = ${SCHEDULED} AND flags & ${FOLLOWS})`,
  "follower without a place": `SELECT id AS what FROM job WHERE flags & ${FOLLOWS}
    AND id NOT IN (SELECT job FROM follower)`,
  "follower of nothing": `SELECT key AS what FROM follower WHERE NOT EXISTS (SELECT 1 FROM unique_key
    WHERE unique_key.kind = follower.kind AND unique_key.tenant = follower.tenant AND unique_key.key = follower.key)`,
};

/** For tests: the inconsistencies of a file, in words. */
export function inspect(path: string): string[] {
  const db = openReader(path);
  try {
    const wrong = Object.entries(MUST_BE_EMPTY).flatMap(([sentence, sql]) =>
      db
        .prepare(sql)
        .all()
        .map((row) => `${sentence}: ${(row as { what: unknown }).what}`),
    );
    const { integrity_check } = db.prepare("PRAGMA integrity_check").get() as { integrity_check: string };
    return integrity_check === "ok" ? wrong : [...wrong, integrity_check];
  } finally {
    db.close();
  }
}
