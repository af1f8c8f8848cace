import { AppError, type JobView } from "millrace";
import { type Caller, type Engine, findJob } from "millrace/workload";
import type { Report } from "../api/shapes.ts";
import { SITE_KIND } from "../dependencies.ts";
import { ARTIFACTS } from "../stages/earlier.ts";

/** A run of this caller; a job of another kind is none. */
export async function findRun(engine: Engine, jobId: string, caller: Caller): Promise<JobView> {
  const job = await findJob(engine, jobId, caller);
  if (job.kind === SITE_KIND) return job;
  throw new AppError("job-not-found", `${jobId} is a job of the kind "${job.kind}", not a site analysis.`);
}

/** A part of the report, or why there is none yet. */
export async function reportPart(
  engine: Engine,
  job: JobView,
  part: keyof typeof ARTIFACTS,
): Promise<Uint8Array<ArrayBuffer>> {
  const kept = await engine.artifact(job.jobId, ARTIFACTS[part]);
  if (kept) return kept.bytes as Uint8Array<ArrayBuffer>;
  throw new AppError("conflict", `There is no report yet: the run is ${job.heldFor ?? job.status}.`, {
    hint: job.error ?? "Wait until it is completed.",
  });
}

export async function readReport(engine: Engine, job: JobView): Promise<Report> {
  return JSON.parse(new TextDecoder().decode(await reportPart(engine, job, "json"))) as Report;
}
