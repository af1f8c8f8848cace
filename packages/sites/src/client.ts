import {
  type AnswerOf,
  ask,
  askBytes,
  askText,
  type BodyOf,
  type Bytes,
  type CallOptions,
  type Connection,
  type Job,
  type JobRef,
  type QueryOf,
  type RouteTable,
} from "millrace/client";
import type { z } from "zod";
import type { Report as SiteReport } from "./api/report.ts";
import type { PromptSet as SitePromptSet } from "./api/shapes.ts";
import type { SiteBudget, SiteComparison, SiteView } from "./api/site-shapes.ts";
import type { siteRoutes } from "./api/sites.ts";
import type { Track, TrackSummary } from "./api/track-shapes.ts";

// Method and path as text: the schemas would bring zod along, and a browser needs none of it. A test compares them.
/** Method and path of the site routes. */
export const siteRouteTable: RouteTable<typeof siteRoutes> = {
  putTrack: "PUT /sites/tracks/{name}",
  tracks: "GET /sites/tracks",
  track: "GET /sites/tracks/{name}",
  deleteTrack: "DELETE /sites/tracks/{name}",
  submit: "POST /sites",
  list: "GET /sites",
  get: "GET /sites/{jobId}",
  prompts: "GET /sites/{jobId}/prompts",
  editPrompts: "PUT /sites/{jobId}/prompts",
  approvePrompts: "POST /sites/{jobId}/prompts/approve",
  raiseBudget: "POST /sites/{jobId}/budget",
  retry: "POST /sites/{jobId}/retry",
  again: "POST /sites/{jobId}/again",
  share: "POST /sites/{jobId}/share",
  shared: "GET /site-reports/{token}",
  setRivals: "PUT /sites/{jobId}/rivals",
  compare: "GET /sites/{jobId}/compare",
  report: "GET /sites/{jobId}/report",
  reportJson: "GET /sites/{jobId}/report.json",
  reportCsv: "GET /sites/{jobId}/report.csv",
  reportNdjson: "GET /sites/{jobId}/report.ndjson",
  reportPdf: "GET /sites/{jobId}/report.pdf",
};

/** What to analyse, and how. */
export type SiteSubmission = BodyOf<typeof siteRoutes.submit>;

/** Calls about tracks: sites that run again and again with the same prompts. */
export interface SiteTrackCalls {
  /** Creates a track, or replaces its settings. The first run of a new track starts at once. */
  put(name: string, track: BodyOf<typeof siteRoutes.putTrack>, options?: CallOptions): Promise<Track>;
  /** All tracks, by name, without their trends. */
  list(options?: CallOptions): Promise<TrackSummary[]>;
  /** A track with its trend and its changes. */
  get(name: string, options?: CallOptions): Promise<Track>;
  /** Deletes a track with its trend. Its runs are kept. */
  delete(name: string, options?: CallOptions): Promise<void>;
}

/** Calls about site analyses. */
export interface SiteCalls {
  /** Tracks: sites that run again and again with the same prompts. */
  readonly tracks: SiteTrackCalls;
  /** Starts an analysis. `client.wait(run)` waits for its end. */
  submit(
    request: SiteSubmission,
    options?: CallOptions & { readonly idempotencyKey?: string | undefined },
  ): Promise<AnswerOf<typeof siteRoutes.submit>>;
  /** One page of analyses, newest first. */
  list(query?: QueryOf<typeof siteRoutes.list>, options?: CallOptions): Promise<AnswerOf<typeof siteRoutes.list>>;
  /** Everything that is known about an analysis at this moment. */
  get(run: JobRef, options?: CallOptions): Promise<SiteView>;
  /** The prompts of an analysis. */
  prompts(run: JobRef, options?: CallOptions): Promise<AnswerOf<typeof siteRoutes.prompts>>;
  /** Replaces the prompts of an analysis that waits for review. They are checked, and wait for review again. */
  editPrompts(run: JobRef, prompts: string[], options?: CallOptions): Promise<SitePromptSet>;
  /** Continues an analysis that waits for review, with its prompts or with these. */
  approvePrompts(run: JobRef, options?: CallOptions & { readonly prompts?: string[] }): Promise<Job>;
  /** Sets a new total budget for an analysis that has used up its own. */
  raiseBudget(run: JobRef, budget: z.input<typeof SiteBudget>, options?: CallOptions): Promise<Job>;
  /** Asks no further questions and reports the answers so far. */
  finish(run: JobRef, options?: CallOptions): Promise<Job>;
  /** Asks again for the missing answers of a finished analysis, and for nothing else. */
  retry(run: JobRef, options?: CallOptions): Promise<Job>;
  /** Runs the site again with the same prompts, rivals and models. */
  again(run: JobRef, options?: CallOptions): Promise<Job>;
  /** Makes a link to the report that works without a key until it expires. */
  share(
    run: JobRef,
    options: CallOptions & { readonly expiresInMs: number },
  ): Promise<AnswerOf<typeof siteRoutes.share>>;
  /** Sets the rivals of a finished analysis and computes its report again, without a model call. */
  setRivals(
    run: JobRef,
    rivals: BodyOf<typeof siteRoutes.setRivals>["rivals"],
    options?: CallOptions,
  ): Promise<AnswerOf<typeof siteRoutes.setRivals>>;
  /** Compares an analysis with an earlier one of the same site. */
  compare(run: JobRef, options?: CallOptions & { readonly with?: string }): Promise<SiteComparison>;
  /** The report as data. */
  report(run: JobRef, options?: CallOptions): Promise<SiteReport>;
  /** The report as an HTML page. */
  reportHtml(run: JobRef, options?: CallOptions): Promise<string>;
  /** The answers as CSV. */
  reportCsv(run: JobRef, options?: CallOptions): Promise<string>;
  /** One JSON line per answer. */
  reportNdjson(run: JobRef, options?: CallOptions): Promise<string>;
  /** The report as PDF. Needs Chromium on the server. */
  reportPdf(run: JobRef, options?: CallOptions): Promise<Bytes>;
}

/** The site calls for a connection. */
export function siteCalls(connection: Connection): SiteCalls {
  const one = (run: JobRef, { signal }: CallOptions = {}) => ({
    params: { jobId: typeof run === "string" ? run : run.jobId },
    signal,
  });
  const track = (name: string, { signal }: CallOptions = {}) => ({ params: { name }, signal });
  return {
    tracks: {
      put: (name, body, options) => ask(connection, siteRouteTable.putTrack, { ...track(name, options), body }),
      list: async (options) => (await ask(connection, siteRouteTable.tracks, { ...options })).tracks,
      get: (name, options) => ask(connection, siteRouteTable.track, track(name, options)),
      delete: async (name, options) => {
        await ask(connection, siteRouteTable.deleteTrack, track(name, options));
      },
    },
    submit: (body, { idempotencyKey = crypto.randomUUID(), signal } = {}) =>
      ask(connection, siteRouteTable.submit, {
        body,
        signal,
        repeatable: true,
        headers: { "idempotency-key": idempotencyKey },
      }),
    list: (query = {}, options) => ask(connection, siteRouteTable.list, { query, ...options }),
    get: (run, options) => ask(connection, siteRouteTable.get, one(run, options)),
    prompts: (run, options) => ask(connection, siteRouteTable.prompts, one(run, options)),
    editPrompts: async (run, prompts, options) =>
      (await ask(connection, siteRouteTable.editPrompts, { ...one(run, options), body: { prompts } })).prompts,
    approvePrompts: (run, { prompts, ...options } = {}) =>
      ask(connection, siteRouteTable.approvePrompts, { ...one(run, options), body: prompts ? { prompts } : {} }),
    raiseBudget: (run, budget, options) =>
      ask(connection, siteRouteTable.raiseBudget, { ...one(run, options), body: { budget } }),
    finish: (run, options) =>
      ask(connection, siteRouteTable.raiseBudget, { ...one(run, options), body: { finish: true } }),
    retry: (run, options) => ask(connection, siteRouteTable.retry, one(run, options)),
    again: (run, options) => ask(connection, siteRouteTable.again, one(run, options)),
    share: (run, { expiresInMs, ...options }) =>
      ask(connection, siteRouteTable.share, { ...one(run, options), body: { expiresInMs } }),
    setRivals: (run, rivals, options) =>
      ask(connection, siteRouteTable.setRivals, { ...one(run, options), body: { rivals } }),
    compare: (run, { with: earlier, ...options } = {}) =>
      ask(connection, siteRouteTable.compare, {
        ...one(run, options),
        query: earlier === undefined ? {} : { with: earlier },
      }),
    report: (run, options) => ask(connection, siteRouteTable.reportJson, one(run, options)),
    reportHtml: (run, options) => askText(connection, siteRouteTable.report, "text/html", one(run, options)),
    reportCsv: (run, options) => askText(connection, siteRouteTable.reportCsv, "text/csv", one(run, options)),
    reportNdjson: (run, options) =>
      askText(connection, siteRouteTable.reportNdjson, "application/x-ndjson", one(run, options)),
    reportPdf: async (run, options) =>
      (await askBytes(connection, siteRouteTable.reportPdf, { ...one(run, options), ...PRINTING })).bytes,
  };
}

// A server without a browser has none in a second either.
const PRINTING = { timeoutMs: 90_000, finalCodes: ["no-browser"] };

/**
 * The site calls for a client, under `client.sites`: `createClient({ baseUrl }).with(sites)`.
 *
 * @example
 * ```ts
 * import { createClient } from "millrace/client";
 * import { sites } from "@millrace/sites/client";
 *
 * const client = createClient({ baseUrl: "http://127.0.0.1:3000" }).with(sites);
 * const run = await client.sites.submit({ url: "https://example.com" });
 * console.log((await client.wait(run)).state);
 * ```
 */
export const sites = (connection: Connection): { readonly sites: SiteCalls } => ({ sites: siteCalls(connection) });

export type { Report as SiteReport } from "./api/report.ts";
export type { PromptSet as SitePromptSet } from "./api/shapes.ts";
export type { SiteComparison, SiteSummary, SiteView } from "./api/site-shapes.ts";
export type {
  Track as SiteTrack,
  TrackRequest as SiteTrackRequest,
  TrackSummary as SiteTrackSummary,
} from "./api/track-shapes.ts";
