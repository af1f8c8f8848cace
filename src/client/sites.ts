import type { z } from "zod";
import type { SiteBudget, siteRoutes } from "../api/sites.ts";
import type { CallOptions, JobRef } from "./jobs.ts";
import { ask, askBytes, askText, type Connection } from "./request.ts";
import { type AnswerOf, type BodyOf, type QueryOf, sites } from "./routes.ts";
import type { Job, SiteComparison, SitePromptSet, SiteReport, SiteView } from "./wire.ts";

export type SiteSubmission = BodyOf<typeof siteRoutes.submit>;

export interface SiteCalls {
  /** Starts a run; `client.wait(run)` waits for its end. */
  submit(
    request: SiteSubmission,
    options?: CallOptions & { readonly idempotencyKey?: string | undefined },
  ): Promise<AnswerOf<typeof siteRoutes.submit>>;
  /** Newest first. */
  list(query?: QueryOf<typeof siteRoutes.list>, options?: CallOptions): Promise<AnswerOf<typeof siteRoutes.list>>;
  /** All that is known of a run at this moment. */
  get(run: JobRef, options?: CallOptions): Promise<SiteView>;
  prompts(run: JobRef, options?: CallOptions): Promise<AnswerOf<typeof siteRoutes.prompts>>;
  /** Other prompts for a run that waits for review; they are checked and wait again. */
  editPrompts(run: JobRef, prompts: string[], options?: CallOptions): Promise<SitePromptSet>;
  /** Lets a run that waits for review go on, with its prompts or with these. */
  approvePrompts(run: JobRef, options?: CallOptions & { readonly prompts?: string[] }): Promise<Job>;
  /** A new budget in all, for a run that needs one. */
  raiseBudget(run: JobRef, budget: z.input<typeof SiteBudget>, options?: CallOptions): Promise<Job>;
  /** Asks nothing more and reports what came. */
  finish(run: JobRef, options?: CallOptions): Promise<Job>;
  /** Asks for what is missing in a finished run, and for nothing else. */
  retry(run: JobRef, options?: CallOptions): Promise<Job>;
  /** Beside an earlier run of the same site. */
  compare(run: JobRef, options?: CallOptions & { readonly with?: string }): Promise<SiteComparison>;
  report(run: JobRef, options?: CallOptions): Promise<SiteReport>;
  reportHtml(run: JobRef, options?: CallOptions): Promise<string>;
  reportCsv(run: JobRef, options?: CallOptions): Promise<string>;
  /** Needs a Chromium on the server. */
  reportPdf(run: JobRef, options?: CallOptions): Promise<Uint8Array>;
}

export function siteCalls(connection: Connection): SiteCalls {
  const one = (run: JobRef, { signal }: CallOptions = {}) => ({
    params: { jobId: typeof run === "string" ? run : run.jobId },
    signal,
  });
  return {
    submit: (body, { idempotencyKey = crypto.randomUUID(), signal } = {}) =>
      ask(connection, sites.submit, {
        body,
        signal,
        repeatable: true,
        headers: { "idempotency-key": idempotencyKey },
      }),
    list: (query = {}, options) => ask(connection, sites.list, { query, ...options }),
    get: (run, options) => ask(connection, sites.get, one(run, options)),
    prompts: (run, options) => ask(connection, sites.prompts, one(run, options)),
    editPrompts: async (run, prompts, options) =>
      (await ask(connection, sites.editPrompts, { ...one(run, options), body: { prompts } })).prompts,
    approvePrompts: (run, { prompts, ...options } = {}) =>
      ask(connection, sites.approvePrompts, { ...one(run, options), body: prompts ? { prompts } : {} }),
    raiseBudget: (run, budget, options) =>
      ask(connection, sites.raiseBudget, { ...one(run, options), body: { budget } }),
    finish: (run, options) => ask(connection, sites.raiseBudget, { ...one(run, options), body: { finish: true } }),
    retry: (run, options) => ask(connection, sites.retry, one(run, options)),
    compare: (run, { with: earlier, ...options } = {}) =>
      ask(connection, sites.compare, { ...one(run, options), query: earlier === undefined ? {} : { with: earlier } }),
    report: (run, options) => ask(connection, sites.reportJson, one(run, options)),
    reportHtml: (run, options) => askText(connection, sites.report, "text/html", one(run, options)),
    reportCsv: (run, options) => askText(connection, sites.reportCsv, "text/csv", one(run, options)),
    reportPdf: async (run, options) =>
      (await askBytes(connection, sites.reportPdf, { ...one(run, options), timeoutMs: PRINT_MS })).bytes,
  };
}

const PRINT_MS = 90_000;
