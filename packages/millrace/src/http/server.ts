import { ERRORS } from "../api/errors.ts";
import { LiveEvents, liveRoutes } from "../api/feeds/live.ts";
import { AppError } from "../lib/app-error.ts";
import type { FetchHandler } from "../runtime/serve.ts";
import { FigureHistory } from "../telemetry/figures/history.ts";
import type { MetricsView } from "../telemetry/figures/metrics-view.ts";
import type { Log } from "../telemetry/log/log.ts";
import { type AccessControl, createApp } from "./app.ts";
import { type AuthOptions, callerOf, unauthorized } from "./auth/auth.ts";
import { AuthLog } from "./auth/auth-log.ts";
import { ClientAddresses } from "./auth/client-address.ts";
import { callerByHost, type HandlerAuth } from "./auth/host-auth.ts";
import { KeyRing } from "./auth/keys.ts";
import { MissLimit } from "./auth/miss-limit.ts";
import type { SiteOptions } from "./auth/same-site.ts";
import { Sessions } from "./auth/session.ts";
import type { PageResponder } from "./dashboard.ts";
import { docsPage } from "./docs/page.ts";
import type { Engine } from "./engine.ts";
import { FEED_HEADERS, LiveFeed } from "./live.ts";
import { openApi } from "./openapi.ts";
import { type BoundRoute, bind } from "./request/bind.ts";
import { accessHandlers } from "./routes/access.ts";
import { approvalHandlers } from "./routes/approvals.ts";
import { artifactHandlers } from "./routes/artifacts.ts";
import { exportHandlers } from "./routes/export.ts";
import { groupHandlers } from "./routes/groups.ts";
import { jobHandlers } from "./routes/jobs.ts";
import { keyHandlers } from "./routes/keys.ts";
import { limitHandlers } from "./routes/limits.ts";
import { manyHandlers } from "./routes/many.ts";
import { operationHandlers } from "./routes/operations.ts";
import { scheduleHandlers } from "./routes/schedules.ts";
import { streamHandlers } from "./routes/streams.ts";
import { systemHandlers } from "./routes/system.ts";
import { workflowHandlers } from "./routes/workflow.ts";
import { workloadHandlers } from "./routes/workloads.ts";
import { type ServedWorkloads, scopesOf } from "./workloads.ts";

export interface ApiOptions {
  readonly engine: Engine;
  /** The administrator's key, on a server that authenticates its callers itself. */
  readonly apiKey?: string | undefined;
  /** How the application that mounts the API authenticates its callers. There are then no keys and no sessions. */
  readonly auth?: HandlerAuth;
  /** The secret that signs tokens for single jobs, where the application authenticates its callers. */
  readonly tokenSecret?: string;
  /** The path below which all of it lives. Default: none. */
  readonly basePath?: string;
  readonly site: SiteOptions;
  /** Addresses and ranges of proxies that X-Forwarded-For is believed from. */
  readonly trustedProxies?: readonly string[];
  readonly settings?: () => { name: string; value: string; doc: string }[];
  readonly version: string;
  readonly log: Log;
  /** Answers requests for the dashboard's files. */
  readonly pages?: PageResponder;
  /** Whether past figures are kept for charts. A single command has no use for them. */
  readonly keepsHistory?: boolean;
  readonly workloads?: ServedWorkloads;
}

export interface ApiServer {
  readonly fetch: FetchHandler;
  readonly routes: readonly BoundRoute[];
  close(): void;
}

/** The whole API on an engine; `close` ends the live feed's connections and answers requests that wait for a job. */
export async function createApi(options: ApiOptions): Promise<ApiServer> {
  const { engine, log, version, basePath = "", workloads = {} } = options;
  const startedAt = performance.now();
  const { access, routes: keyRoutes } = accessControl(options);
  const closing = new AbortController();
  const feed = new LiveFeed((listener) => engine.listen(listener));
  const history = new FigureHistory(async () => (await engine.admin.figures()) as MetricsView, Date.now);
  if (options.keepsHistory) history.start();
  const routes: BoundRoute[] = [
    ...manyHandlers(engine),
    ...operationHandlers(engine),
    ...jobHandlers(engine, closing.signal),
    ...exportHandlers(engine),
    ...artifactHandlers(engine),
    ...workflowHandlers(engine),
    ...approvalHandlers({ engine, linkSecret: options.auth ? options.tokenSecret : options.apiKey }),
    ...groupHandlers(engine),
    ...streamHandlers({ engine, log, closing: closing.signal }),
    ...systemHandlers({ engine, history, uptimeMs: () => performance.now() - startedAt, now: () => new Date() }),
    ...scheduleHandlers(engine),
    ...limitHandlers(engine),
    ...accessHandlers({ engine, settings: options.settings }),
    ...keyRoutes,
    ...workloadHandlers(workloads),
    ...((await workloads.routes?.({ engine, log, closing: closing.signal, emit: feed.emit })) ?? []),
    liveHandler(feed, { ...liveRoutes.live, events: { ...LiveEvents, ...workloads.events } }),
  ];
  const documented = [...routes.map((bound) => bound.spec), liveRoutes.openapi, liveRoutes.docs];
  const errors = { ...workloads.errors, ...ERRORS };
  const location = { basePath, hasKeys: options.auth === undefined };
  // Made when a client asks for it: the schemas of all routes took a fifteenth of the processor time of a start.
  const document = once(() => openApi(documented, version, errors, location));
  const json = once(() => JSON.stringify(document()));
  const html = once(() => docsPage(document(), documented, errors, location));
  routes.push(
    bind(liveRoutes.openapi, async () => new Response(json(), { headers: { "content-type": "application/json" } })),
    bind(liveRoutes.docs, async () => new Response(html(), { headers: PAGE_HEADERS })),
  );
  const close = () => {
    history.stop();
    feed.close();
    closing.abort();
  };
  const fetch = createApp({
    routes,
    basePath,
    access,
    site: options.site,
    log,
    errors,
    addresses: new ClientAddresses(options.trustedProxies ?? []),
    // A client that polls a deleted job misses once a second, which must not lock it out.
    unknownJobs: new MissLimit({ most: 200, perMs: 60_000, now: Date.now }),
    pages: options.pages,
  });
  return { fetch, routes, close };
}

/** Who may come in: callers with a key or a session of ours, or those that the application knows. */
function accessControl(options: ApiOptions): { access: AccessControl; routes: BoundRoute[] } {
  const { engine, apiKey, auth, log, workloads = {} } = options;
  const authLog = new AuthLog(log, Date.now);
  const scopes = scopesOf(workloads);
  if (auth) {
    const callerOf = (request: Request) => callerByHost(request, auth, scopes, { tokenSecret: options.tokenSecret });
    return { access: { callerOf, unauthorized: notSignedIn, isPrivate: true, log: authLog }, routes: [] };
  }
  const own: AuthOptions = {
    apiKey,
    keys: new KeyRing(engine.admin.access),
    sessions: new Sessions(engine.admin.access, Date.now),
    misses: new MissLimit({ most: 20, perMs: 60_000, now: Date.now }),
    now: Date.now,
    log: authLog,
  };
  return {
    access: {
      callerOf: (request, about) => callerOf(request, about, own),
      unauthorized,
      isPrivate: false,
      log: authLog,
    },
    routes: keyHandlers({ engine, auth: own, scopes }),
  };
}

/** The error has no WWW-Authenticate: only the application knows how its callers sign in. */
function notSignedIn(): AppError {
  return new AppError("unauthorized", "You are not signed in.", { hint: "Sign in to the application first." });
}

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

function liveHandler(feed: LiveFeed, route: typeof liveRoutes.live): BoundRoute {
  return bind(route, async ({ caller, query, request }) => {
    if (request.method === "HEAD") return new Response(null, { headers: FEED_HEADERS });
    const lastId = request.headers.get("last-event-id") ?? query.lastEventId;
    const tenant = caller.tenant === "*" ? undefined : caller.tenant;
    return feed.open({ tenant, withPools: caller.root }, lastId ?? undefined, request.signal);
  });
}

/** Makes a value at the first call and keeps it. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
