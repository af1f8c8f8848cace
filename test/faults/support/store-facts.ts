// The store as its file says, read without the engine: a checker that asked the engine could share its mistakes.

import { DatabaseSync } from "node:sqlite";
import { STANDINGS, type Standing } from "../../../packages/millrace/src/job/job.ts";
import { publicIds } from "../../../packages/millrace/src/lib/public-id.ts";
import { artifactsPath } from "../../../packages/millrace/src/store/sqlite/connection/database.ts";

export interface StoredJob {
  id: string;
  kind: string;
  /** The key its submitter gave it. */
  key: string;
  stage: string;
  standing: Standing;
  attempt: number;
  failures: number;
  crashes: number;
  /** Which attempt of which stage made the result. */
  chain: { stage: string; token: number }[];
  /** What its last attempt ended with, if that failed. */
  failure?: string;
}

export interface StoreFacts {
  jobs: Map<string, StoredJob>;
  /** When leases of each job were taken back, in order. */
  takenBack: Map<string, number[]>;
  /** What is wrong with the file itself. */
  problems: string[];
}

const JOBS = `SELECT job.id, kind.name AS kind, stage.name AS stage, standing, attempt, failures, crashes, token, failure,
  coalesce(payload, (SELECT value FROM body WHERE body.id = job.id * 2)) AS payload,
  coalesce(output, (SELECT value FROM body WHERE body.id = job.id * 2 + 1)) AS output
  FROM job JOIN stage ON stage.id = job.stage JOIN kind ON kind.id = stage.kind`;
const TAKEN_BACK = "SELECT job, ended_at AS at FROM attempt WHERE outcome = 'abandoned' ORDER BY id";
const STAGES = "SELECT * FROM stage";
const STAGE_COUNTS = "SELECT stage, standing, count(*) AS count FROM job GROUP BY stage, standing";
const LANES = `SELECT stage, tenant, ready, (SELECT count(*) FROM job WHERE standing = 1 AND job.stage = lane.stage
  AND job.tenant = lane.tenant) AS counted FROM lane`;
const TENANTS = `SELECT name, running, (SELECT count(*) FROM job WHERE standing = 4 AND job.tenant = tenant.id) AS counted FROM tenant`;
const ORPHANS = `SELECT job.id FROM job LEFT JOIN instance ON instance.id = job.holder
  WHERE standing = 4 AND coalesce(instance.expires_at, 0) = 0`;

export function readStore(path: string): StoreFacts {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const { value: secret } = db.prepare("SELECT value FROM meta WHERE name = 'id_secret'").get() as { value: string };
    const ids = publicIds("job_", secret);
    const jobs = new Map<string, StoredJob>();
    // One snapshot, so that jobs and counters are compared as of the same commit even while others write.
    db.exec("BEGIN");
    for (const row of db.prepare(JOBS).all() as unknown as Row[])
      jobs.set(ids.encode(row.id), storedJob(ids.encode(row.id), row));
    const takenBack = new Map<string, number[]>();
    for (const { job, at } of db.prepare(TAKEN_BACK).all() as { job: number; at: number }[]) {
      const id = ids.encode(job);
      takenBack.set(id, [...(takenBack.get(id) ?? []), at]);
    }
    const problems = [...wrongCounters(db), ...orphans(db, ids.encode)];
    db.exec("COMMIT");
    return { jobs, takenBack, problems: [...problems, ...damage(path)] };
  } finally {
    db.close();
  }
}

/** How many jobs are not finished: what a test polls while the processes work them off. */
export function countUnfinished(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return (db.prepare("SELECT count(*) AS count FROM job WHERE standing < 5").get() as { count: number }).count;
  } finally {
    db.close();
  }
}

/** When each living process gave its last sign of life. */
export function readBeats(path: string): number[] {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    const rows = db.prepare("SELECT beat_at FROM instance WHERE expires_at > 0").all() as { beat_at: number }[];
    return rows.map((row) => row.beat_at);
  } finally {
    db.close();
  }
}

/** Nobody holds the file's write lock. */
export function canWrite(path: string): boolean {
  const db = new DatabaseSync(path, { timeout: 50 });
  try {
    db.exec("BEGIN IMMEDIATE; ROLLBACK");
    return true;
  } catch {
    return false;
  } finally {
    db.close();
  }
}

export interface Row {
  id: number;
  kind: string;
  stage: string;
  standing: number;
  attempt: number;
  failures: number;
  crashes: number;
  payload: string;
  output: string | null;
  failure: string | null;
}

export function storedJob(id: string, row: Row): StoredJob {
  const { kind, stage, attempt, failures, crashes } = row;
  const payload = JSON.parse(row.payload) as { key?: string };
  const output = (row.output === null ? {} : JSON.parse(row.output)) as { chain?: StoredJob["chain"] };
  const standing = STANDINGS[row.standing] as Standing;
  return {
    id,
    kind,
    key: payload.key ?? "",
    stage,
    standing,
    attempt,
    failures,
    crashes,
    chain: output?.chain ?? [],
    ...(row.failure !== null && { failure: row.failure }),
  };
}

function wrongCounters(db: DatabaseSync): string[] {
  const problems: string[] = [];
  const real = new Map<string, number>();
  for (const row of db.prepare(STAGE_COUNTS).all() as { stage: number; standing: number; count: number }[]) {
    real.set(`${row.stage} ${STANDINGS[row.standing]}`, row.count);
  }
  for (const stage of db.prepare(STAGES).all() as unknown as ({ id: number; name: string } & Record<
    Standing,
    number
  >)[]) {
    for (const standing of STANDINGS) {
      const counted = real.get(`${stage.id} ${standing}`) ?? 0;
      if (stage[standing] !== counted)
        problems.push(`counter: ${stage.name} says ${stage[standing]} ${standing}, there are ${counted}`);
    }
  }
  for (const lane of db.prepare(LANES).all() as { stage: number; tenant: number; ready: number; counted: number }[]) {
    if (lane.ready !== lane.counted)
      problems.push(`counter: lane ${lane.stage}/${lane.tenant} says ${lane.ready} ready, there are ${lane.counted}`);
  }
  for (const tenant of db.prepare(TENANTS).all() as { name: string; running: number; counted: number }[]) {
    if (tenant.running !== tenant.counted)
      problems.push(`counter: tenant ${tenant.name} says ${tenant.running} running, there are ${tenant.counted}`);
  }
  return problems;
}

/** A running job whose holder has left: nobody will ever take it back. */
function orphans(db: DatabaseSync, encode: (id: number) => string): string[] {
  const rows = db.prepare(ORPHANS).all() as { id: number }[];
  return rows.map((row) => `orphan: ${encode(row.id)} is running for a process that has left`);
}

function damage(path: string): string[] {
  return [path, artifactsPath(path)].flatMap((file) => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      const rows = db.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
      return rows.filter((row) => row.integrity_check !== "ok").map((row) => `integrity: ${row.integrity_check}`);
    } catch (error) {
      return [`integrity: ${(error as Error).message}`];
    } finally {
      db.close();
    }
  });
}
