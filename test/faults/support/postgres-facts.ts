// The store as its tables say, read without the engine: a checker that asked the engine could share its mistakes.

import { publicIds } from "../../../packages/millrace/src/lib/public-id.ts";
import type { ConnectionPool } from "../../../packages/millrace/src/store/postgres/connection/connections.ts";
import { inspect } from "../../../packages/millrace/src/store/postgres/connection/inspect.ts";
import { type Row, type StoreFacts, storedJob } from "./store-facts.ts";

const JOBS = `SELECT job.id, kind.name AS kind, stage.name AS stage, standing, attempt, failures, crashes, token, payload, output, failure
  FROM millrace.every_job AS job JOIN millrace.stage ON stage.id = job.stage JOIN millrace.kind ON kind.id = stage.kind`;
const TAKEN_BACK = "SELECT job, ended_at AS at FROM millrace.attempt WHERE outcome = 'abandoned' ORDER BY id";
const ORPHANS = `SELECT job.id FROM millrace.job LEFT JOIN millrace.instance ON instance.id = job.holder
  WHERE standing = 4 AND coalesce(instance.expires_at, 0) = 0`;

export async function readDatabase(db: ConnectionPool): Promise<StoreFacts> {
  return db.transact(
    async (tx): Promise<StoreFacts> => {
      const [secret] = await tx.run<{ value: string }>("SELECT value FROM millrace.meta WHERE name = 'id_secret'");
      const ids = publicIds("job_", secret?.value as string);
      const rows = await tx.run<Row>(JOBS);
      const jobs = new Map(rows.map((row) => [ids.encode(row.id), storedJob(ids.encode(row.id), row)]));
      const takenBack = new Map<string, number[]>();
      for (const { job, at } of await tx.run<{ job: number; at: number }>(TAKEN_BACK)) {
        const id = ids.encode(job);
        takenBack.set(id, [...(takenBack.get(id) ?? []), at]);
      }
      const orphans = (await tx.run<{ id: number }>(ORPHANS)).map(
        ({ id }) => `orphan: ${ids.encode(id)} has no holder`,
      );
      return { jobs, takenBack, problems: [...orphans, ...(await inspect(tx))] };
    },
    { begin: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" },
  );
}

export async function countUnfinishedIn(db: ConnectionPool): Promise<number> {
  const [row] = await db.run<{ count: number }>("SELECT count(*)::int AS count FROM millrace.job");
  return row?.count ?? 0;
}
