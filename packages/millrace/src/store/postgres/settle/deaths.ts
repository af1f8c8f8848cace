// Reads what the attempts of jobs stored whose process died, and how their earlier processes died.

import type { JobPast, Neighbours } from "../../../job/crash.ts";
import { HAS_ATTEMPTS, HAS_STEPS } from "../../codes.ts";
import { numbers } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { PostgresJobRow } from "../read/row.ts";

// Answers to a hold are stored as steps too, but not by an attempt.
const NEW_STEPS = statement<{ keys: string }>(`SELECT job.id
  FROM unnest(:keys::bigint[]) AS named (id),
    LATERAL (SELECT id, stage, started_at FROM millrace.job WHERE job.id = named.id) AS job
  WHERE EXISTS (
    SELECT 1
    FROM millrace.step
    WHERE step.job = job.id
      AND step.stage = job.stage
      AND step.saved_at >= job.started_at
      AND step.name NOT LIKE 'released:%'
  )`);
const LONE_DEATHS = statement<{ keys: string }>(`SELECT job, stage, beside
  FROM millrace.attempt
  WHERE job = ANY(:keys::bigint[]) AND beside IS NOT NULL`);

export async function pastsOf(
  tx: StatementRunner,
  rows: readonly PostgresJobRow[],
): Promise<(row: PostgresJobRow) => JobPast> {
  const loneDeathsOf = await loneDeaths(tx, rows);
  const withSteps = rows.filter(({ flags }) => flags & HAS_STEPS).map(({ id }) => id);
  const saved = withSteps.length > 0 ? await tx.run<{ id: number }>(...NEW_STEPS({ keys: numbers(withSteps) })) : [];
  const savedStep = new Set(saved.map(({ id }) => id));
  return (row) => ({ savedStep: savedStep.has(row.id), loneDeaths: loneDeathsOf(row) });
}

export async function loneDeaths(
  tx: StatementRunner,
  rows: readonly PostgresJobRow[],
): Promise<(row: PostgresJobRow) => Neighbours[]> {
  const tried = rows.filter(({ flags }) => flags & HAS_ATTEMPTS).map(({ id }) => id);
  const query = LONE_DEATHS({ keys: numbers(tried) });
  const deaths = tried.length > 0 ? await tx.run<{ job: number; stage: number; beside: string }>(...query) : [];
  const byJob = Map.groupBy(deaths, ({ job, stage }) => `${job} ${stage}`);
  return ({ id, stage }) => (byJob.get(`${id} ${stage}`) ?? []).map(({ beside }) => JSON.parse(beside) as string[]);
}
