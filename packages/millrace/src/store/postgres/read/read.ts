import type { Artifact } from "../../../job/artifact.ts";
import type { Attempt, Job } from "../../../job/job.ts";
import { codeOf } from "../../codes.ts";
import { type AttemptRow, attemptsOf } from "../../rows/attempt-row.ts";
import { kindCounts } from "../../rows/kind-counts.ts";
import type { LogLine, Step } from "../../verbs/attempts.ts";
import type { ArtifactInfo } from "../../verbs/jobs.ts";
import type { Instance, KindCounts } from "../../verbs/processes.ts";
import { numbers } from "../connection/arrays.ts";
import type { Core } from "../core.ts";
import { holderOf, NAMED, type NamedRow, toJobs } from "./row.ts";
import { standingCounts } from "./standing-counts.ts";

const FIND = `${NAMED} WHERE job.id = ANY($1::bigint[])`;
const ATTEMPTS = `SELECT attempt.*, instance.name AS holder_name FROM millrace.attempt
  LEFT JOIN millrace.instance ON instance.id = attempt.holder WHERE job = $1 ORDER BY attempt.id`;
const LOGS = "SELECT id, at, level, message, data FROM millrace.log WHERE job = $1 AND id > $2 ORDER BY id LIMIT $3";
const STEPS = `SELECT stage, name, value, saved_at FROM millrace.step WHERE job = $1 ORDER BY saved_at, name COLLATE "C"`;
const ARTIFACTS = `SELECT name, content_type AS "contentType", octet_length(bytes) AS size FROM millrace.artifact
  WHERE job = $1 ORDER BY name COLLATE "C"`;
const ARTIFACT = `SELECT name, content_type AS "contentType", bytes FROM millrace.artifact WHERE job = $1 AND name = $2`;
const STAGES = `SELECT stage.id, kind.name AS "kindName", kind.paused FROM millrace.stage
  JOIN millrace.kind ON kind.id = stage.kind ORDER BY kind.name COLLATE "C"`;
const INSTANCES = `SELECT id, name, started_at AS "startedAt", beat_at AS "beatAt", expires_at AS "expiresAt", pools FROM millrace.instance
  WHERE expires_at > 0 ORDER BY id`;
const SIZE = `SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::bigint AS bytes FROM pg_class
  JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relkind IN ('r', 'p')`;

export async function find(core: Core, jobIds: string[]): Promise<Job[]> {
  const keys = jobIds.map((jobId) => core.ids.decode(jobId)).filter((key) => key !== undefined);
  if (keys.length === 0) return [];
  const rows = await core.connections.write.run<NamedRow>(FIND, [numbers(keys)]);
  const found = new Map((await toJobs(core, rows)).map((job) => [job.id, job]));
  return jobIds.map((jobId) => found.get(jobId)).filter((job) => job !== undefined);
}

type NamedAttemptRow = AttemptRow & { holder_name: string | null };

/** Ended attempts come first, then the running one. The attempt that completed the job is the row of the job itself. */
export async function attempts(core: Core, jobId: string): Promise<Attempt[]> {
  const key = core.ids.decode(jobId);
  const [row] = key === undefined ? [] : await core.connections.read.run<NamedRow>(FIND, [numbers([key])]);
  if (!row) return [];
  const rows = await core.connections.read.run<NamedAttemptRow>(ATTEMPTS, [row.id]);
  await core.names.knowStages([row.stage, ...rows.map(({ stage }) => stage)]);
  return attemptsOf(row, rows, { stageOf: (stage) => core.names.stage(stage).name, holderOf });
}

export async function logs(
  core: Core,
  jobId: string,
  options: { afterId?: number; limit: number },
): Promise<(LogLine & { id: number })[]> {
  const key = core.ids.decode(jobId) ?? -1;
  const rows = await core.connections.read.run<LogLine & { id: number; data: string | null }>(LOGS, [
    key,
    options.afterId ?? 0,
    options.limit,
  ]);
  return rows.map(({ id, at, level, message, data }) => ({ id, at, level, message, ...(data !== null && { data }) }));
}

export async function steps(core: Core, jobId: string): Promise<Step[]> {
  const key = core.ids.decode(jobId) ?? -1;
  const rows = await core.connections.read.run<{ stage: number; name: string; value: string; saved_at: number }>(
    STEPS,
    [key],
  );
  await core.names.knowStages(rows.map(({ stage }) => stage));
  return rows.map((row) => ({
    stage: core.names.stage(row.stage).name,
    name: row.name,
    value: row.value,
    savedAt: row.saved_at,
  }));
}

export async function artifacts(core: Core, jobId: string): Promise<ArtifactInfo[]> {
  return core.connections.read.run<ArtifactInfo>(ARTIFACTS, [core.ids.decode(jobId) ?? -1]);
}

export async function artifact(core: Core, jobId: string, name: string): Promise<Artifact | undefined> {
  const key = core.ids.decode(jobId) ?? -1;
  const [row] = await core.connections.read.run<Artifact>(ARTIFACT, [key, name]);
  return row && { name: row.name, contentType: row.contentType, bytes: new Uint8Array(row.bytes) };
}

export async function kinds(core: Core): Promise<KindCounts[]> {
  const [stages, counts] = await Promise.all([
    core.connections.read.run<{ id: number; kindName: string; paused: boolean }>(STAGES, []),
    standingCounts(core),
  ]);
  await core.names.load();
  const counted = new Map(counts.map((row) => [`${row.stage} ${row.standing}`, row.count]));
  return kindCounts(
    stages.map((row) => ({ ...row, stage: core.names.stage(row.id) })),
    (kind) => core.names.stagesOfKind(kind),
    ({ id }, standing) => counted.get(`${id} ${codeOf[standing]}`) ?? 0,
  );
}

export async function instances(core: Core): Promise<Instance[]> {
  const rows = await core.connections.read.run<Instance & { pools: string | null }>(INSTANCES, []);
  return rows.map(({ pools, ...row }) => ({
    ...row,
    own: row.id === core.instances.id,
    ...(pools !== null && { pools }),
  }));
}

/** The server's log is shared by all its databases, so it is not counted as ours. */
export async function size(core: Core): Promise<{ databaseBytes: number; walBytes: number }> {
  const [row] = await core.connections.read.run<{ bytes: number }>(SIZE, [core.connections.target.schema]);
  return { databaseBytes: row?.bytes ?? 0, walBytes: 0 };
}
