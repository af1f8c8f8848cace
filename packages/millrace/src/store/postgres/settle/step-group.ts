// Steps that are stored at the same time share one statement, and so one commit. It checks the lease of each, stores its step and
// says how long the lease still holds: a workflow of ten steps costs ten round trips, and a hundred of them cost no more.

import type { Lease } from "../../../job/lease.ts";
import { HAS_STEPS } from "../../codes.ts";
import type { ConfirmAnswer } from "../../verbs/attempts.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { RUNS } from "../read/row.ts";
import { Group, onePerCore } from "../thread/group.ts";

/** A step can have 1 MB. Much smaller groups would be slower, much larger ones could outlast the time limit of a statement. */
const CHARS_PER_WEIGHT = 4_096;

// A row that another transaction has locked is left out: its step is stored alone, so that the others do not wait for it.
const SAVE = statement<SaveParameters>(`WITH settings AS MATERIALIZED (
    SELECT set_config('synchronous_commit', :durable, true)
  ),
  held AS MATERIALIZED (
    SELECT job.id, job.stage, job.token, job.flags, ${nowBy(":now")} AS now,
      (SELECT expires_at FROM millrace.instance WHERE id = job.holder) - ${nowBy(":now")} AS left
    FROM settings, millrace.job
    WHERE job.id = ANY(:keys::bigint[]) AND ${RUNS}
    FOR NO KEY UPDATE OF job SKIP LOCKED
  ),
  added AS (
    INSERT INTO millrace.step (job, stage, name, value, saved_at)
    SELECT held.id, held.stage, asked.name, asked.value, held.now
    FROM unnest(:jobs::bigint[], :tokens::bigint[], :names::text[], :values::text[]) AS asked (job, token, name, value)
    JOIN held ON held.id = asked.job AND held.token = asked.token
    ON CONFLICT (job, stage, name) DO UPDATE SET value = step.value WHERE step.value = excluded.value
    RETURNING job, name
  ),
  flagged AS (
    UPDATE millrace.job
    SET flags = job.flags | ${HAS_STEPS}
    WHERE job.id = ANY(ARRAY(
      SELECT held.id FROM held WHERE held.flags & ${HAS_STEPS} = 0 AND held.id IN (SELECT job FROM added)
    ))
  )
  SELECT added.job, added.name, held.left
  FROM added
  JOIN held ON held.id = added.job`);

interface SaveParameters {
  now: Value;
  durable: string;
  /** The keys of the jobs, each once. */
  keys: string;
  jobs: string;
  tokens: string;
  names: string;
  values: string;
}

interface NewStep {
  readonly key: number;
  readonly token: number;
  readonly name: string;
  readonly value: string;
}

/** Undefined: the group could not store it, so it has to be stored alone. */
type StepAnswer = { readonly forMs: number } | undefined;

const groupOf = onePerCore((core) => new Group<NewStep, StepAnswer>((steps) => saveTogether(core, steps)));

/**
 * Undefined: the lease may be lost, the name may be used, or another transaction holds the job. The caller looks at the job by
 * itself.
 */
export async function saveInGroup(
  core: Core,
  lease: Lease,
  name: string,
  value: string,
): Promise<Exclude<ConfirmAnswer, "lease-lost"> | undefined> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  const weight = 1 + Math.floor(value.length / CHARS_PER_WEIGHT);
  return groupOf(core).ask({ key, token: lease.token, name, value }, weight);
}

async function saveTogether(core: Core, steps: readonly NewStep[]): Promise<StepAnswer[]> {
  const query = SAVE({
    now: core.clock.given,
    durable: core.durable(true),
    keys: numbers(new Set(steps.map(({ key }) => key))),
    jobs: numbers(steps.map(({ key }) => key)),
    tokens: numbers(steps.map(({ token }) => token)),
    names: texts(steps.map(({ name }) => name)),
    values: texts(steps.map(({ value }) => value)),
  });
  const rows = await core.connections.write.run<{ job: number; name: string; left: number | null }>(...query);
  const saved = new Map(rows.map(({ job, name, left }) => [`${job} ${name}`, left ?? 0]));
  return steps.map(({ key, name }) => {
    const left = saved.get(`${key} ${name}`);
    if (left === undefined) return undefined;
    // The transaction has committed, so this is known for certain.
    const lease = core.leases.get(key);
    if (lease) lease.flags |= HAS_STEPS;
    return { forMs: left };
  });
}
