import { AppError, type JobView } from "millrace";
import {
  auditedSubmission,
  type BoundRoute,
  bind,
  type Caller,
  cursorOf,
  type Engine,
  idempotencyOfBody,
  idOfCursor,
  oneTenant,
  submitOptionsOf,
  traceParentOf,
} from "millrace/workload";
import type { Prompt } from "../api/shapes.ts";
import { siteRoutes } from "../api/sites.ts";
import { SITE_KIND } from "../dependencies.ts";
import type { SitePayload } from "../payload.ts";
import { reading } from "../reading/reading.ts";
import type { SiteSettings } from "../settings.ts";
import { findRun, readReport } from "./find.ts";
import { Printer, type PrinterOptions } from "./printer.ts";
import { reportHandlers } from "./report-routes.ts";
import { reviewHandlers } from "./review-routes.ts";
import { shareHandlers } from "./share-routes.ts";
import { siteTag } from "./tag.ts";
import { trackHandlers } from "./track-routes.ts";
import { latestSet, summaryOf, viewOfRun } from "./view.ts";

export interface SiteRouteOptions {
  readonly settings: SiteSettings;
  /** For reports as PDF. */
  readonly printing: PrinterOptions;
}

export function siteHandlers(engine: Engine, options: SiteRouteOptions): BoundRoute[] {
  return [
    // Before the routes of runs: `tracks` is no run's id.
    ...trackHandlers(engine, options.settings),
    submit(engine),
    list(engine),
    get(engine, options),
    compare(engine),
    ...reviewHandlers(engine),
    again(engine),
    ...shareHandlers(engine),
    ...reportHandlers(engine, new Printer(options.printing), options.settings),
  ];
}

function submit(engine: Engine): BoundRoute {
  return bind(siteRoutes.submit, async ({ body, caller, request, traceId }) => {
    const tenant = oneTenant(caller);
    const { priority, runAt, delayMs, maxRetries, timeoutMs, expiresInMs, tags = [], ...payload } = body;
    const options = { priority, runAt, delayMs, maxRetries, timeoutMs, expiresInMs };
    const traceParent = traceParentOf(request);
    const { jobs, replayed } = await engine.submitRequests({
      tenant,
      requests: [
        {
          kind: SITE_KIND,
          payload,
          options: {
            ...submitOptionsOf(options),
            traceId,
            tags: [...tags, siteTag(payload.url)],
            ...(traceParent !== undefined && { traceParent }),
          },
        },
      ],
      ...idempotencyOfBody(request, "POST /sites", body),
    });
    if (!replayed) await auditedSubmission(engine, { caller, traceId, request }, tenant, jobs);
    const [job] = jobs as [JobView];
    const { jobId } = job;
    const { status } = replayed ? ((await engine.find(jobId)) ?? job) : job;
    const headers = { location: `/sites/${jobId}`, ...(replayed && { "idempotent-replay": "true" }) };
    return { status: replayed ? 200 : 202, headers, body: { jobId, status, statusUrl: `/jobs/${jobId}` } };
  });
}

/** The same questions to the same models: what differs between the runs is then what changed. */
function again(engine: Engine): BoundRoute {
  return bind(siteRoutes.again, async ({ params, caller, traceId, request }) => {
    const job = await findRun(engine, params.jobId, caller);
    const reviewed = latestSet(await engine.steps(job.jobId));
    const set = reviewed?.set ?? (await readReport(engine, job)).prompts;
    if (set.prompts.length === 0)
      throw new AppError("conflict", "The run has no prompts to ask again.", { hint: "Submit the site again." });
    const { missingOf: _missing, reviewPrompts: _review, ...payload } = job.payload as SitePayload;
    const options = { traceId, tags: [siteTag(payload.url)] };
    const repeated = { ...payload, prompts: baseTexts(set.prompts), competitors: set.rivals.slice(0, 10) };
    const { jobs } = await engine.submitRequests({
      tenant: job.tenant,
      requests: [{ kind: SITE_KIND, payload: repeated, options }],
    });
    await auditedSubmission(engine, { caller, traceId, request }, job.tenant, jobs);
    const [created] = jobs as [JobView];
    return { body: created, headers: { location: `/sites/${created.jobId}` } };
  });
}

/** The prompts without what locales and personas added: the run adds it again. */
function baseTexts(prompts: readonly Prompt[]): string[] {
  const bare = prompts.map(({ text, persona, locale }) => {
    const asked = persona === undefined ? text : text.slice(persona.length + 1);
    return locale !== undefined && new Intl.Locale(locale).region !== undefined
      ? asked.replace(/ \([^()]*\)$/, "")
      : asked;
  });
  return [...new Set(bare)];
}

function list(engine: Engine): BoundRoute {
  return bind(siteRoutes.list, async ({ query, caller }) => {
    const limit = query.limit ?? 50;
    const beforeId = query.cursor === undefined ? undefined : idOfCursor(query.cursor);
    const jobs = await runsOf(engine, caller, {
      limit: limit + 1,
      tag: query.domain === undefined ? undefined : siteTag(query.domain),
      beforeId,
    });
    const shown = jobs.slice(0, limit);
    const last = jobs.length > limit ? shown.at(-1) : undefined;
    return { body: { sites: shown.map(summaryOf), ...(last && { nextCursor: cursorOf(last.jobId) }) } };
  });
}

function runsOf(
  engine: Engine,
  caller: Caller,
  { limit, tag, beforeId }: { limit: number; tag: string | undefined; beforeId: string | undefined },
) {
  return engine.list({
    kind: SITE_KIND,
    limit,
    ...(caller.tenant !== "*" && { tenant: caller.tenant }),
    ...(tag !== undefined && { tag }),
    ...(beforeId !== undefined && { beforeId }),
  });
}

function get(engine: Engine, { settings }: SiteRouteOptions): BoundRoute {
  return bind(siteRoutes.get, async ({ params, caller }) => {
    const job = await findRun(engine, params.jobId, caller);
    const [steps, attempts] = await Promise.all([engine.steps(job.jobId), engine.attempts(job.jobId)]);
    return { body: viewOfRun({ job, steps, attempts, settings }) as never };
  });
}

function compare(engine: Engine): BoundRoute {
  return bind(siteRoutes.compare, async ({ params, query, caller }) => {
    const job = await findRun(engine, params.jobId, caller);
    const after = await readReport(engine, job);
    const earlier =
      query.with === undefined ? await runBefore(engine, job, caller) : await findRun(engine, query.with, caller);
    return { body: await reading.call("compareReports", [await readReport(engine, earlier), after]) };
  });
}

async function runBefore(engine: Engine, job: JobView, caller: Caller): Promise<JobView> {
  const tag = siteTag((job.payload as { url: string }).url);
  const jobs = await runsOf(engine, { ...caller, tenant: job.tenant }, { limit: 20, tag, beforeId: job.jobId });
  const earlier = jobs.find(({ state }) => state === "completed");
  if (earlier) return earlier;
  throw new AppError("conflict", "There is no earlier completed run of this site to compare with.", {
    hint: "Choose one with ?with=.",
  });
}
