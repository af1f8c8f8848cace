import {
  LOOK_MS,
  longestRetention,
  type PlanFacts,
  stagesInQuestion,
  type UnusedRows,
  unusedRows,
} from "../../plans/unused.ts";
import { numbers } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { bumpVersion } from "../register/workers.ts";

const PLANS = "SELECT id, kind, stages, unused_since FROM millrace.plan";
const STAGES = "SELECT id, plan, pin FROM millrace.stage";
const DEPLOYMENTS = "SELECT id, number, ended_at FROM millrace.deployment";
const RAN = "SELECT deployment, plan FROM millrace.deployment_plan";
const NAMED = `SELECT plan, deployment FROM millrace.worker
  UNION ALL SELECT last_plan, last_pin FROM millrace.kind WHERE last_plan IS NOT NULL`;
// A process whose lease has expired may go on, until another process takes its jobs back.
const REGISTERED = "SELECT plans FROM millrace.instance WHERE expires_at > 0";
const FIND_USED = statement<{ stages: string }>(`SELECT asked.stage AS id
  FROM unnest(:stages::int[]) AS asked (stage)
  WHERE EXISTS (SELECT 1 FROM millrace.finished WHERE finished.stage = asked.stage)
    OR EXISTS (SELECT 1 FROM millrace.window_entry WHERE what = 'start' AND owner = asked.stage)
  UNION SELECT DISTINCT stage FROM millrace.job`);
const MARK = statement<{ plans: string; now: number | null }>(`UPDATE millrace.plan
  SET unused_since = ${nowBy(":now")}
  WHERE id = ANY(:plans::int[])`);
const UNMARK = statement<{ plans: string }>(`UPDATE millrace.plan
  SET unused_since = NULL
  WHERE id = ANY(:plans::int[])`);
const DROP_LANES = statement<{ plans: string; deployments: string }>(`DELETE FROM millrace.lane
  WHERE stage IN (SELECT id FROM millrace.stage WHERE plan = ANY(:plans::int[]) OR pin = ANY(:deployments::int[]))`);
const DROP_STAGES = statement<{ plans: string; deployments: string }>(`DELETE FROM millrace.stage
  WHERE plan = ANY(:plans::int[]) OR pin = ANY(:deployments::int[])`);
const DROP_PLANS = statement<{ plans: string }>("DELETE FROM millrace.plan WHERE id = ANY(:plans::int[])");
const DROP_RAN = statement<{ deployments: string }>(
  "DELETE FROM millrace.deployment_plan WHERE deployment = ANY(:deployments::int[])",
);
const DROP_DEPLOYMENTS = statement<{ deployments: string }>(
  "DELETE FROM millrace.deployment WHERE id = ANY(:deployments::int[])",
);

/** Deletes plans and deployments that nothing refers to; at most `limit` of each. */
export async function pruneOldPlans(core: Core, limit: number): Promise<void> {
  const { clock, ages, names, connections } = core;
  if (clock.monotonic() < core.plansDueAt) return;
  core.plansDueAt = clock.monotonic() + LOOK_MS;
  const kinds = new Set(names.allStages().map(({ kind }) => kind));
  const endedBefore = ages.before(longestRetention([...kinds].map((kind) => names.rules(kind))));
  const facts = await readFacts(connections.read);
  const inQuestion = stagesInQuestion(facts, endedBefore);
  // It reads all live jobs, so it runs beside the transaction. A stage that no process can choose gets no job meanwhile.
  const found =
    inQuestion.length > 0
      ? await connections.read.run<{ id: number }>(...FIND_USED({ stages: numbers(inQuestion) }))
      : [];
  const used = new Set(found.map(({ id }) => id));
  const known = new Set(inQuestion);
  const { mark, unmark, plans, deployments } = unusedRows(facts, { used, endedBefore, ages });
  if (mark.length > 0) await connections.write.run(...MARK({ plans: numbers(mark), now: clock.given }));
  if (unmark.length > 0) await connections.write.run(...UNMARK({ plans: numbers(unmark) }));
  if (plans.length + deployments.length === 0) return;
  await connections.write.transact(async (tx) => {
    // Processes that register wait for this row, and this transaction for theirs.
    await bumpVersion(tx);
    // Read again: a process may have registered one of the plans. What came into question since then is left to the next look.
    const now = await readFacts(tx);
    for (const stage of stagesInQuestion(now, endedBefore)) if (!known.has(stage)) used.add(stage);
    await drop(tx, unusedRows(now, { used, endedBefore, ages }), limit);
  });
  await names.load();
}

async function drop(tx: StatementRunner, rows: UnusedRows, limit: number): Promise<void> {
  const plans = numbers(rows.plans.slice(0, limit));
  const deployments = numbers(rows.deployments.slice(0, limit));
  await tx.run(...DROP_LANES({ plans, deployments }));
  await tx.run(...DROP_STAGES({ plans, deployments }));
  await tx.run(...DROP_PLANS({ plans }));
  await tx.run(...DROP_RAN({ deployments }));
  await tx.run(...DROP_DEPLOYMENTS({ deployments }));
}

async function readFacts(db: StatementRunner): Promise<PlanFacts> {
  const registered = await db.run<{ plans: string | null }>(REGISTERED, []);
  return {
    plans: await db.run(PLANS, []),
    stages: await db.run(STAGES, []),
    deployments: await db.run(DEPLOYMENTS, []),
    ran: await db.run(RAN, []),
    named: await db.run(NAMED, []),
    registered: registered.map(({ plans }) => plans),
  };
}
