import { AppError, type JobView } from "millrace";
import { type Caller, type Engine, findJob } from "millrace/workload";
import type { Report } from "../api/report.ts";
import type { Brand } from "../api/shapes.ts";
import { SITE_KIND } from "../dependencies.ts";
import { reading } from "../reading/reading.ts";
import { ARTIFACTS } from "../stages/earlier.ts";

/** A run of this caller; a job of another kind is none. */
export async function findRun(engine: Engine, jobId: string, caller: Caller): Promise<JobView> {
  const job = await findJob(engine, jobId, caller);
  if (job.kind === SITE_KIND) return job;
  throw new AppError("job-not-found", `${jobId} is a job of the kind "${job.kind}", not a site analysis.`);
}

/** A part of the report, or why there is none yet. If the rivals were changed since, it is written again. */
export async function reportPart(
  engine: Engine,
  job: JobView,
  part: keyof typeof ARTIFACTS,
): Promise<Uint8Array<ArrayBuffer>> {
  const rivals = part === "passages" ? undefined : await rivalsChosen(engine, job);
  const kept = await engine.artifact(job.jobId, ARTIFACTS[rivals === undefined ? part : "json"]);
  if (!kept) {
    throw new AppError("conflict", `There is no report yet: the run is ${job.heldFor ?? job.status}.`, {
      hint: job.error ?? "Wait until it is completed.",
    });
  }
  if (rivals === undefined || part === "passages") return kept.bytes as Uint8Array<ArrayBuffer>;
  const written = await reading.call("rewriteReport", [parsed(kept.bytes), rivals]);
  return written[part] as Uint8Array<ArrayBuffer>;
}

export async function readReport(engine: Engine, job: JobView): Promise<Report> {
  return parsed(await reportPart(engine, job, "json"));
}

function parsed(bytes: Uint8Array): Report {
  return JSON.parse(new TextDecoder().decode(bytes)) as Report;
}

const RIVALS = "site-rivals";

async function rivalsChosen(engine: Engine, { jobId, tenant }: JobView): Promise<Brand[] | undefined> {
  const record = await engine.records(RIVALS).get(jobId, { tenant });
  return record?.value as Brand[] | undefined;
}

/** Kept as long as the run: its report is computed with them from then on. */
export async function chooseRivals(
  engine: Engine,
  { jobId, tenant }: JobView,
  { rivals, forMs }: { rivals: readonly Brand[]; forMs: number },
): Promise<void> {
  await engine.records(RIVALS).put(jobId, rivals, { tenant, ...(forMs > 0 && { expiresInMs: forMs }) });
}
