import { statSync } from "node:fs";
import type { Artifact } from "../../../job/artifact.ts";
import type { Attempt, Job, Standing } from "../../../job/job.ts";
import { type AttemptRow, attemptsOf } from "../../rows/attempt-row.ts";
import { kindCounts } from "../../rows/kind-counts.ts";
import type { LogLine, Step } from "../../verbs/attempts.ts";
import type { ArtifactInfo } from "../../verbs/jobs.ts";
import type { Instance, KindCounts } from "../../verbs/processes.ts";
import { artifactsPath } from "../connection/database.ts";
import type { ReadView } from "../core.ts";
import { findRow, toJob } from "./row.ts";

const ATTEMPTS = "SELECT * FROM attempt WHERE job = ? ORDER BY id";
const LOGS = "SELECT id, at, level, message, data FROM log WHERE job = ? AND id > ? ORDER BY id LIMIT ?";
const STEPS = "SELECT stage, name, value, saved_at FROM step WHERE job = ? ORDER BY saved_at, name";
const ARTIFACTS = `SELECT name, content_type AS contentType, length(bytes) AS size FROM artifacts.artifact
  WHERE job = ? ORDER BY name`;
const ARTIFACT = "SELECT name, content_type AS contentType, bytes FROM artifacts.artifact WHERE job = ? AND name = ?";
const STAGES = `SELECT stage.*, kind.name AS kindName, kind.paused FROM stage JOIN kind ON kind.id = stage.kind ORDER BY kind.name`;
const INSTANCES = `SELECT id, name, started_at AS startedAt, beat_at AS beatAt, expires_at AS expiresAt, pools FROM instance
  WHERE expires_at > 0 ORDER BY id`;

export function find(core: ReadView, jobIds: string[]): Job[] {
  const rows = jobIds.map((jobId) => findRow(core, core.ids.decode(jobId) ?? -1));
  return rows.filter((row) => row !== undefined).map((row) => toJob(core, row));
}

/** Ended attempts come first, then the running one. The attempt that completed the job is the row of the job itself. */
export function attempts(core: ReadView, jobId: string): Attempt[] {
  const row = findRow(core, core.ids.decode(jobId) ?? -1);
  if (!row) return [];
  return attemptsOf(row, core.statement(ATTEMPTS).all(row.id) as unknown as AttemptRow[], {
    stageOf: (stage) => core.names.stage(stage).name,
    holderOf: ({ holder }) => (holder === null ? undefined : core.names.instanceName(holder)),
  });
}

export function logs(
  core: ReadView,
  jobId: string,
  options: { afterId?: number; limit: number },
): (LogLine & { id: number })[] {
  const key = core.ids.decode(jobId) ?? -1;
  const rows = core.statement(LOGS).all(key, options.afterId ?? 0, options.limit) as unknown as (LogLine & {
    id: number;
    data: string | null;
  })[];
  return rows.map(({ id, at, level, message, data }) => ({ id, at, level, message, ...(data !== null && { data }) }));
}

export function steps(core: ReadView, jobId: string): Step[] {
  const key = core.ids.decode(jobId) ?? -1;
  const rows = core.statement(STEPS).all(key) as { stage: number; name: string; value: string; saved_at: number }[];
  return rows.map((row) => ({
    stage: core.names.stage(row.stage).name,
    name: row.name,
    value: row.value,
    savedAt: row.saved_at,
  }));
}

export function artifacts(core: ReadView, jobId: string): ArtifactInfo[] {
  const rows = core.statement(ARTIFACTS).all(core.ids.decode(jobId) ?? -1) as unknown as ArtifactInfo[];
  return rows.map(({ name, contentType, size }) => ({ name, contentType, size }));
}

export function artifact(core: ReadView, jobId: string, name: string): Artifact | undefined {
  const row = core.statement(ARTIFACT).get(core.ids.decode(jobId) ?? -1, name) as unknown as Artifact | undefined;
  return row && { name: row.name, contentType: row.contentType, bytes: row.bytes };
}

export function kinds(core: ReadView): KindCounts[] {
  const rows = core.statement(STAGES).all() as unknown as ({
    id: number;
    kindName: string;
    paused: number;
  } & Record<Standing, number>)[];
  return kindCounts(
    rows.map((row) => ({ ...row, paused: row.paused === 1, stage: core.names.stage(row.id) })),
    (kind) => core.names.stagesOfKind(kind),
    (row, standing) => row[standing],
  );
}

export function instances(core: ReadView & { instances: { id: number } }): Instance[] {
  const rows = core.statement(INSTANCES).all() as unknown as (Instance & { pools: string | null })[];
  return rows.map(({ pools, ...row }) => ({
    ...row,
    own: row.id === core.instances.id,
    ...(pools !== null && { pools }),
  }));
}

export function size(core: ReadView): { databaseBytes: number; walBytes: number } {
  const { path } = core.options;
  if (path === ":memory:") return { databaseBytes: 0, walBytes: 0 };
  const files = [path, artifactsPath(path)];
  const total = (suffix: string) => files.reduce((sum, file) => sum + bytesOf(file + suffix), 0);
  return { databaseBytes: total(""), walBytes: total("-wal") };
}

function bytesOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
