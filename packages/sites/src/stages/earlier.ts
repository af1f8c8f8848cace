import { type Context, JobFailure } from "millrace/processor";
import type { SitePassage } from "../analysis/passages.ts";
import type { Report } from "../api/report.ts";
import type { SitePayload } from "../payload.ts";

/** A finished run, as another goes on from it. */
export interface EarlierRun {
  report: Report;
  passages: SitePassage[];
}

/** The run that this job completes, if it is one that does. */
export async function earlierRun(
  ctx: Context<SitePayload>,
  earlier: ((tenant: string, jobId: string) => Promise<EarlierRun | undefined>) | undefined,
): Promise<EarlierRun | undefined> {
  const { missingOf } = ctx.payload;
  if (missingOf === undefined) return undefined;
  const run = await earlier?.(ctx.tenant, missingOf);
  if (run) return run;
  throw new JobFailure(`The run ${missingOf} was deleted, so its missing calls cannot be repeated.`, {
    code: "run-gone",
    permanent: true,
  });
}

export const ARTIFACTS = {
  html: "report.html",
  json: "report.json",
  csv: "answers.csv",
  passages: "passages.json",
} as const;
