// The steps and jobs that settlements carry. Their locks are taken before the rows of the jobs that settle, as a submission takes
// them, so that two transactions cannot wait for each other. They are decided before anything is written, and written after the rows.

import type { Transition } from "../../../job/lifecycle.ts";
import { HAS_STEPS } from "../../codes.ts";
import {
  decideFollowUps,
  type FollowUpDecision,
  followUpsBusy,
  freesUniqueKey,
  hasFollowUps,
  stepValue,
  submissionOf,
} from "../../decide/follow-ups.ts";
import type { WrittenAnswer } from "../../decide/settlement.ts";
import { isDue } from "../../decide/submission.ts";
import { expectedSuccessor } from "../../decide/successor.ts";
import type { FollowUpStep, FollowUps, RefusedSettlement } from "../../verbs/follow-ups.ts";
import type { NewJob } from "../../verbs/submission.ts";
import { numbers, texts } from "../connection/arrays.ts";
import type { OwnTransaction, StatementRunner } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import type { LiveJob } from "../submit/facts.ts";
import { tryLocks } from "../submit/key-locks.ts";
import {
  acceptedOf,
  keyNamesOf,
  type PendingSubmission,
  type PreparedSubmissions,
  prepareSubmissions,
} from "../submit/submit.ts";
import { type AcceptedSubmission, writeAccepted } from "../submit/write-accepted.ts";
import type { Ending } from "./ending.ts";

const FIND_TENANTS = statement<{ keys: string }>(`SELECT id, tenant, stage
  FROM millrace.job
  WHERE id = ANY(:keys::bigint[])`);
const FIND_STEPS = statement<{ keys: string; names: string }>(`SELECT job, stage, name, value
  FROM millrace.step
  WHERE job = ANY(:keys::bigint[]) AND name = ANY(:names::text[])`);
const ADD_STEPS = statement<{
  keys: string;
  stages: string;
  names: string;
  values: string;
  now: number;
}>(`INSERT INTO millrace.step
    (job, stage, name, value, saved_at)
  SELECT job, stage, name, value, :now::bigint
  FROM unnest(:keys::bigint[], :stages::int[], :names::text[], :values::text[]) AS t (job, stage, name, value)
  ON CONFLICT (job, stage, name) DO NOTHING`);

/** What one settlement carries, once it is accepted. */
export interface FollowUpPlan {
  readonly steps: readonly FollowUpStep[];
  readonly accepted?: AcceptedSubmission;
}

/** A job with a plan, as it was before its settlement: the steps belong to the stage that ended. */
export interface PlannedRow {
  readonly row: LockedRow;
  readonly plan: FollowUpPlan;
}

/** `jobs`: with the successor of a job that continues as new, as far as it is known before its row is locked. */
type EndingWithFollowUps = Ending & { jobs: readonly NewJob[] };

export class FollowUpWrites {
  readonly #core: Core;
  readonly #submissions: PreparedSubmissions;
  readonly #endings: readonly EndingWithFollowUps[];
  /** The names of locks that other transactions hold. */
  readonly #busy: ReadonlySet<string>;
  #steps = new Map<string, string>();

  private constructor(
    core: Core,
    endings: readonly EndingWithFollowUps[],
    { submissions, busy }: { submissions: PreparedSubmissions; busy: ReadonlySet<string> },
  ) {
    this.#core = core;
    this.#endings = endings;
    this.#submissions = submissions;
    this.#busy = busy;
  }

  /** Takes the locks. Undefined: no ending carries anything. */
  static async prepare(
    core: Core,
    tx: OwnTransaction,
    endings: readonly Ending[],
  ): Promise<FollowUpWrites | undefined> {
    const found = endings.filter(({ outcome, followUps }) => outcome.type === "continued" || hasFollowUps(followUps));
    if (found.length === 0) return undefined;
    const keys = numbers(found.map(({ key }) => key));
    const rows = await tx.run<{ id: number; tenant: number; stage: number }>(...FIND_TENANTS({ keys }));
    await core.names.knowStages(rows.map(({ stage }) => stage));
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    const carrying = found.map((ending): EndingWithFollowUps => {
      const row = rowOf.get(ending.key);
      const { jobs = [] } = ending.followUps ?? {};
      if (!row || ending.outcome.type !== "continued") return { ...ending, jobs };
      return { ...ending, jobs: [...jobs, expectedSuccessor(core.names.stage(row.stage).kindName)] };
    });
    await core.names.loadKinds(carrying.flatMap(({ jobs }) => jobs.map(({ kind }) => kind)));
    const pending = carrying.flatMap(({ key, jobs }): PendingSubmission[] => {
      const tenant = rowOf.get(key)?.tenant;
      return tenant === undefined || jobs.length === 0 ? [] : [{ submission: submissionOf("", jobs), tenant }];
    });
    const names = pending.flatMap((each) => keyNamesOf(core, each));
    const busy = await tryLocks(tx, core.connections.target.schema, names);
    const submissions = await prepareSubmissions(core, tx, pending, { mayEnd: true });
    return new FollowUpWrites(core, carrying, { submissions, busy });
  }

  /** Reads the stored steps of the names in question. The rows of their jobs are locked by now. */
  async load(tx: StatementRunner): Promise<void> {
    const names = this.#endings.flatMap(({ followUps }) => (followUps?.steps ?? []).map(({ name }) => name));
    if (names.length === 0) return;
    const keys = numbers(this.#endings.map(({ key }) => key));
    const query = FIND_STEPS({ keys, names: texts(names) });
    const rows = await tx.run<{ job: number; stage: number; name: string; value: string }>(...query);
    this.#steps = new Map(rows.map(({ job, stage, name, value }) => [stepKey(job, stage, name), value]));
  }

  decide(followUps: FollowUps, row: LockedRow, change: Transition): FollowUpPlan | RefusedSettlement {
    if (this.#busy.size > 0 && this.#isBusy(followUps, row)) return followUpsBusy();
    const endingJob = freesUniqueKey(change) ? row.id : undefined;
    const decision: FollowUpDecision<LiveJob> = decideFollowUps(
      {
        submission: this.#submissions.facts.of(row.tenant, endingJob),
        storedStep: (name) => this.#steps.get(stepKey(row.id, row.stage, name)),
      },
      followUps,
    );
    if (decision.type === "refused") return decision.answer;
    const { steps, accepted } = decision;
    if (!accepted) return { steps };
    const submission = submissionOf("", followUps.jobs ?? []);
    return { steps, accepted: acceptedOf(this.#submissions, { submission, tenant: row.tenant }, accepted) };
  }

  #isBusy({ jobs = [] }: FollowUps, { tenant }: LockedRow): boolean {
    const names = keyNamesOf(this.#core, { submission: submissionOf("", jobs), tenant });
    return names.some((name) => this.#busy.has(name));
  }

  /** The lanes of the jobs that can be claimed at once. */
  lanesOf(plans: readonly FollowUpPlan[]): { stage: number; tenant: number }[] {
    const { now } = this.#submissions;
    return plans.flatMap(({ accepted }) =>
      (accepted?.added ?? []).flatMap(({ job, stage }) =>
        isDue(job, now) ? [{ stage: stage.id, tenant: (accepted as AcceptedSubmission).tenant }] : [],
      ),
    );
  }

  /** Writes all plans, and gives the answers to their settlements. */
  async write(
    tx: StatementRunner,
    planned: readonly PlannedRow[],
    settled: readonly WrittenAnswer[],
  ): Promise<WrittenAnswer[]> {
    const { now } = this.#submissions;
    const core = this.#core;
    await writeAccepted(
      core,
      tx,
      planned.flatMap(({ plan }) => plan.accepted ?? []),
      now,
    );
    const idsOf = ({ accepted }: FollowUpPlan) => (accepted?.first.keys ?? []).map(core.ids.encode);
    const steps = planned.flatMap(({ row, plan }, i) =>
      settled[i]?.forgotten
        ? []
        : plan.steps.map((step) => ({ row, name: step.name, value: stepValue(step, idsOf(plan)) })),
    );
    if (steps.length > 0) {
      const query = ADD_STEPS({
        keys: numbers(steps.map(({ row }) => row.id)),
        stages: numbers(steps.map(({ row }) => row.stage)),
        names: texts(steps.map(({ name }) => name)),
        values: texts(steps.map(({ value }) => value)),
        now,
      });
      await tx.run(...query);
    }
    return settled.map((answer, i) => {
      const { plan } = planned[i] as PlannedRow;
      return plan.accepted ? { ...answer, jobIds: idsOf(plan) } : answer;
    });
  }
}

/** The row as it is once the steps are stored. */
export function withSteps(row: LockedRow, { steps }: FollowUpPlan): LockedRow {
  return steps.length > 0 ? { ...row, flags: row.flags | HAS_STEPS } : row;
}

function stepKey(job: number, stage: number, name: string): string {
  return `${job} ${stage} ${name}`;
}
