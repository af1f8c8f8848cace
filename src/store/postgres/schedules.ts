import type { Fired, Schedule, Submission } from "../store.ts";
import type { Core } from "./core.ts";
import { submitWithin } from "./submit.ts";

const PUT = `INSERT INTO millrace.schedule (name, rule, next_at) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET rule = excluded.rule, next_at = excluded.next_at`;
const REMOVE = "DELETE FROM millrace.schedule WHERE name = $1 RETURNING name";
const MOVE = "UPDATE millrace.schedule SET next_at = $1, last_at = $2 WHERE name = $3 AND next_at = $2 RETURNING name";
const SET_LAST_JOB = "UPDATE millrace.schedule SET last_job = $1 WHERE name = $2";
const SCHEDULES = 'SELECT name, rule, next_at, last_at, last_job FROM millrace.schedule ORDER BY name COLLATE "C"';

export async function putSchedule(core: Core, schedule: Schedule): Promise<void> {
  const { name, nextAt, lastAt: _lastAt, lastJobId: _lastJobId, ...rule } = schedule;
  await core.connections.write.run(PUT, [name, JSON.stringify(rule), nextAt]);
}

export async function removeSchedule(core: Core, name: string): Promise<boolean> {
  return (await core.connections.write.run(REMOVE, [name])).length > 0;
}

/** Guarded by the tick it expects: of several processes one fires it, in the same transaction as its job. */
export async function fire(
  core: Core,
  name: string,
  expectedAt: number,
  nextAt: number,
  submission: Submission | undefined,
): Promise<Fired> {
  const fired = await core.connections.write.transact(async (tx): Promise<Fired> => {
    const moved = await tx.run(MOVE, [nextAt, expectedAt, name]);
    if (moved.length === 0) return { fired: false };
    if (!submission) return { fired: true };
    const answer = await submitWithin(core, tx, submission);
    if (answer.type === "refused") return { fired: true, refused: answer.message };
    const jobId = answer.jobIds[0] as string;
    await tx.run(SET_LAST_JOB, [core.ids.decode(jobId) as number, name]);
    return { fired: true, jobId };
  });
  if (fired.fired && fired.jobId !== undefined) core.voice.say("work");
  return fired;
}

export async function schedules(core: Core): Promise<Schedule[]> {
  const rows = await core.connections.read.run<{
    name: string;
    rule: string;
    next_at: number;
    last_at: number | null;
    last_job: number | null;
  }>(SCHEDULES, []);
  return rows.map((row) => ({
    ...JSON.parse(row.rule),
    name: row.name,
    nextAt: row.next_at,
    ...(row.last_at !== null && { lastAt: row.last_at }),
    ...(row.last_job !== null && { lastJobId: core.ids.encode(row.last_job) }),
  }));
}
