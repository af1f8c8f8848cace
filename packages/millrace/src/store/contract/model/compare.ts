import assert from "node:assert/strict";
import { type Job, stateOf } from "../../../job/job.ts";
import type { Store } from "../../store.ts";
import type { Model, ModelJob } from "./model.ts";

/** Every job there has been, as each instance sees it and as the model has it. */
export async function assertSame(stores: Store[], ids: string[], model: Model): Promise<void> {
  for (const store of stores) {
    assert.equal(await store.count({}), model.jobs.length);
    for (const id of ids) {
      const [[job], known] = [await store.find([id]), model.find(id)];
      assert.equal(job === undefined, known === undefined, id);
      if (!job || !known) continue;
      assert.deepEqual(seen(job), expectedOf(known));
      const history = (await store.attempts(id)).filter(({ outcome }) => outcome);
      assert.deepEqual(
        history.map(({ stage, attempt, outcome }) => `${stage}#${attempt} ${outcome}`),
        known.history,
      );
      assert.deepEqual((await store.steps(id)).map(({ name }) => name).sort(), [...known.steps].sort());
    }
  }
}

function seen(job: Job) {
  const state = job.standing === "held" || job.standing === "rejected" ? job.standing : stateOf(job.standing);
  const { attempt, failures, failuresTotal, crashes, result, failure, finishedAt, retriedAs, runAt } = job;
  return {
    state,
    stage: job.stage,
    attempt,
    failures,
    failuresTotal,
    crashes,
    result,
    failure: failure?.code,
    finishedAt,
    retriedAs,
    runAt: state === "pending" ? runAt : 0,
  };
}

function expectedOf(job: ModelJob): ReturnType<typeof seen> {
  const { state, attempt, failures, failuresTotal, crashes, result, failure, finishedAt, retriedAs, runAt } = job;
  const stage = ["fetch", "form"][job.stage] as string;
  return {
    state,
    stage,
    attempt,
    failures,
    failuresTotal,
    crashes,
    result,
    failure,
    finishedAt,
    retriedAs,
    runAt: state === "pending" ? runAt : 0,
  };
}

/** An answer to a control verb in one word. */
export function wordOf(answer: unknown): string {
  if (typeof answer === "string") return answer;
  return answer && typeof answer === "object" && "running" in answer ? "running" : "conflict";
}

export function withoutId({ id: _id, ...answer }: { type: string; code?: string; id?: string }) {
  return answer;
}
