import { AppError, type JobView } from "millrace";
import { audited, type BoundRoute, bind, type Engine } from "millrace/workload";
import type { SiteProfile } from "../api/shapes.ts";
import { siteRoutes } from "../api/sites.ts";
import { SITE_KIND } from "../dependencies.ts";
import { reading } from "../reading/reading.ts";
import type { SiteResult } from "../stages/ask-models.ts";
import type { Review } from "../stages/form-prompts.ts";
import type { BudgetAnswer } from "../stages/missing.ts";
import { findRun } from "./find.ts";
import { siteTag } from "./tag.ts";
import { latestSet, waitsOn } from "./view.ts";

/** What a person decides on the way: the prompts, the budget, and whether to ask again for what is missing. */
export function reviewHandlers(engine: Engine): BoundRoute[] {
  return [
    bind(siteRoutes.prompts, async ({ params, caller }) => {
      const job = await findRun(engine, params.jobId, caller);
      const reviewed = latestSet(await engine.steps(job.jobId));
      if (!reviewed) throw new AppError("conflict", `There are no prompts yet: the run is ${job.status}.`);
      return {
        body: { prompts: reviewed.set, estimate: reviewed.estimate, waitsForReview: waitsOn(job) === "review" },
      };
    }),

    bind(siteRoutes.editPrompts, async ({ params, body, caller, traceId }) => {
      const job = await waiting(engine, await findRun(engine, params.jobId, caller), "review");
      const prompts = await checkedPrompts(engine, job, body.prompts);
      await engine.release(job.jobId, { answer: { edit: body.prompts } satisfies Review });
      await audited(engine, { caller, traceId }, "site prompts edited", { target: job.jobId, tenant: job.tenant });
      return { body: { prompts } };
    }),

    bind(siteRoutes.approvePrompts, async ({ params, body, caller, traceId }) => {
      const job = await waiting(engine, await findRun(engine, params.jobId, caller), "review");
      if (body.prompts) await checkedPrompts(engine, job, body.prompts);
      const review: Review = { approve: true, ...(body.prompts && { prompts: body.prompts }) };
      await engine.release(job.jobId, { answer: review });
      await audited(engine, { caller, traceId }, "site prompts approved", { target: job.jobId, tenant: job.tenant });
      return { body: await findRun(engine, job.jobId, caller) };
    }),

    bind(siteRoutes.raiseBudget, async ({ params, body, caller, traceId }) => {
      const job = await waiting(engine, await findRun(engine, params.jobId, caller), "budget");
      const answer: BudgetAnswer = body.budget ? { budget: body.budget } : { finish: true };
      await engine.release(job.jobId, { answer });
      await audited(engine, { caller, traceId }, "site budget changed", { target: job.jobId, tenant: job.tenant });
      return { body: await findRun(engine, job.jobId, caller) };
    }),

    bind(siteRoutes.retry, async ({ params, caller, traceId }) => {
      const job = await findRun(engine, params.jobId, caller);
      const created = await retried(engine, job, traceId);
      await audited(engine, { caller, traceId }, "site retried", { target: job.jobId, tenant: job.tenant });
      return { body: created, headers: { location: `/sites/${created.jobId}` } };
    }),
  ];
}

async function waiting(engine: Engine, job: JobView, what: "review" | "budget"): Promise<JobView> {
  // A run that was just edited is checked and held again. An approval in that moment waits until the run is held.
  for (let looks = 0; what === "review" && looks < 20 && isBetween(job); looks++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    job = (await engine.find(job.jobId)) ?? job;
  }
  if (waitsOn(job) === what) return job;
  const words = what === "review" ? "for its prompts to be reviewed" : "for budget";
  throw new AppError("conflict", `The run is not waiting ${words}; it is ${job.heldFor ?? job.status}.`);
}

function isBetween(job: JobView): boolean {
  return (
    job.stage === "prompt-forming" &&
    waitsOn(job) === undefined &&
    (job.state === "pending" || job.state === "running") &&
    (job.payload as { reviewPrompts?: boolean }).reviewPrompts === true
  );
}

/** The same rules as the stage's, at once and with the reason. */
async function checkedPrompts(engine: Engine, job: JobView, texts: string[]) {
  const profile = (await engine.steps(job.jobId)).find(({ name }) => name === "profile");
  if (!profile) throw new AppError("conflict", "The site has not been read yet.");
  const request = { prompts: texts, promptCount: texts.length };
  const set = await reading.call("formPrompts", [JSON.parse(profile.value) as SiteProfile, request]);
  if (set.rejected.length === 0) return set;
  const issues = set.rejected.map(({ text, reason }) => ({ path: `prompts.${texts.indexOf(text)}`, message: reason }));
  throw new AppError("invalid-request", `Invalid prompt: “${set.rejected[0]?.text}” ${set.rejected[0]?.reason}.`, {
    details: { issues },
  });
}

/** A failed run goes on as a new job with all it had; a completed one that lacks answers is completed by a new one. */
async function retried(engine: Engine, job: JobView, traceId: string): Promise<JobView> {
  if (job.state === "failed" || job.state === "cancelled") return engine.reviveRequest(job.jobId, {});
  const missing = (job.result as Partial<SiteResult> | undefined)?.missing ?? 0;
  if (job.state !== "completed")
    throw new AppError("conflict", `The run is ${job.heldFor ?? job.status}; there is nothing to retry yet.`);
  if (missing === 0)
    throw new AppError("conflict", "Nothing is missing in this run.", {
      hint: "For new answers, submit the site again.",
    });
  const payload = { ...(job.payload as object), missingOf: job.jobId };
  const { jobs } = await engine.submitRequests({
    tenant: job.tenant,
    requests: [
      { kind: SITE_KIND, payload, options: { traceId, tags: [siteTag((job.payload as { url: string }).url)] } },
    ],
  });
  return jobs[0] as JobView;
}
