import { stateOf } from "../../job/job.ts";
import type { ExportedJob } from "../../job/report/exported-job.ts";
import type { Store } from "../../store/store.ts";
import { checkJobId } from "../job-ids.ts";
import type { Messages } from "../messages.ts";
import { jobNotFound } from "./job-not-found.ts";

/** A job with everything that its stages have stored. */
export async function exportJob(store: Store, messages: Messages, jobId: string): Promise<ExportedJob> {
  const [job] = await store.find([checkJobId(jobId)]);
  if (!job) throw jobNotFound();
  const [steps, waits, signals] = await Promise.all([
    store.steps(jobId),
    messages.waits(jobId),
    messages.signals(jobId),
  ]);
  const isFirst = job.stage === job.stages[0];
  const hasInput = !isFirst && job.standing !== "completed" && job.result !== undefined;
  return {
    format: 1,
    jobId: job.id,
    kind: job.kind,
    tenant: job.tenant,
    state: stateOf(job.standing),
    stage: job.stage,
    stages: job.stages,
    attempt: job.attempt,
    tags: job.tags,
    createdAt: new Date(job.createdAt).toISOString(),
    payload: JSON.parse(job.payload),
    ...(hasInput && { input: JSON.parse(job.result as string) }),
    steps: steps.map(({ stage, name, value }) => ({ stage, name, value: JSON.parse(value) })),
    waits,
    signals,
  };
}
