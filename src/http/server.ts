import { liveRoutes } from "../api/live.ts";
import type { FetchHandler } from "../runtime/serve.ts";
import { FigureHistory } from "../telemetry/history.ts";
import type { Log } from "../telemetry/log.ts";
import type { MetricsView } from "../telemetry/metrics-view.ts";
import { createApp } from "./app.ts";
import type { AuthOptions } from "./auth.ts";
import { AuthLog } from "./auth-log.ts";
import { type Bound, bind } from "./bind.ts";
import { ClientAddresses } from "./client-address.ts";
import type { Pages } from "./dashboard.ts";
import { docsPage } from "./docs/page.ts";
import type { Engine } from "./engine.ts";
import { KeyRing } from "./keys.ts";
import { FEED_HEADERS, LiveFeed } from "./live.ts";
import { MissLimit } from "./miss-limit.ts";
import { openApi } from "./openapi.ts";
import { accessHandlers } from "./routes/access.ts";
import { jobHandlers } from "./routes/jobs.ts";
import { manyHandlers } from "./routes/many.ts";
import { scheduleHandlers } from "./routes/schedules.ts";
import { systemHandlers } from "./routes/system.ts";
import type { SiteOptions } from "./same-site.ts";
import { Sessions } from "./session.ts";

export interface ApiOptions {
  readonly engine: Engine;
  readonly apiKey: string | undefined;
  readonly site: SiteOptions;
  /** Addresses and ranges of proxies that X-Forwarded-For is believed from. */
  readonly trustedProxies?: readonly string[];
  readonly settings: () => { name: string; value: string; doc: string }[];
  readonly version: string;
  readonly log: Log;
  /** The dashboard's. */
  readonly pages?: Pages;
  /** Keep what the figures were, for charts; not worth it for a single command. */
  readonly keepsHistory?: boolean;
  /** What workloads bring. `closing`: the server stops, and whoever waits is answered. */
  readonly routes?: (closing: AbortSignal) => readonly Bound[];
}

/** The whole API on an engine; `close` ends the live feed's connections and answers whoever waits for a job. */
export function createApi(options: ApiOptions): { fetch: FetchHandler; routes: readonly Bound[]; close(): void } {
  const { engine, log, version } = options;
  const startedAt = performance.now();
  const auth: AuthOptions = {
    apiKey: options.apiKey,
    keys: new KeyRing(engine.admin.access),
    sessions: new Sessions(engine.admin.access, Date.now),
    misses: new MissLimit({ most: 20, perMs: 60_000, now: Date.now }),
    now: Date.now,
    log: new AuthLog(log, Date.now),
  };
  const closing = new AbortController();
  const feed = new LiveFeed((listener) => engine.listen(listener));
  const history = new FigureHistory(async () => (await engine.admin.figures()) as MetricsView, Date.now);
  if (options.keepsHistory) history.start();
  const routes: Bound[] = [
    ...manyHandlers(engine),
    ...jobHandlers(engine, closing.signal),
    ...systemHandlers({ engine, history, uptimeMs: () => performance.now() - startedAt, now: () => new Date() }),
    ...scheduleHandlers(engine),
    ...accessHandlers({ engine, auth, settings: options.settings }),
    ...(options.routes?.(closing.signal) ?? []),
    liveHandler(feed),
  ];
  const documented = [...routes.map((bound) => bound.spec), liveRoutes.openapi, liveRoutes.docs];
  const document = openApi(documented, version);
  const json = JSON.stringify(document);
  const html = docsPage(document, documented);
  routes.push(
    bind(liveRoutes.openapi, async () => new Response(json, { headers: { "content-type": "application/json" } })),
    bind(liveRoutes.docs, async () => new Response(html, { headers: PAGE_HEADERS })),
  );
  const close = () => {
    history.stop();
    feed.close();
    closing.abort();
  };
  const fetch = createApp({
    routes,
    auth,
    site: options.site,
    log,
    addresses: new ClientAddresses(options.trustedProxies ?? []),
    // A client that polls a job which was deleted misses once a second.
    unknownJobs: new MissLimit({ most: 200, perMs: 60_000, now: Date.now }),
    pages: options.pages,
  });
  return { fetch, routes, close };
}

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

function liveHandler(feed: LiveFeed): Bound {
  return bind(liveRoutes.live, async ({ caller, query, request }) => {
    if (request.method === "HEAD") return new Response(null, { headers: FEED_HEADERS });
    const lastId = request.headers.get("last-event-id") ?? query.lastEventId;
    const tenant = caller.tenant === "*" ? undefined : caller.tenant;
    return feed.open({ tenant, withPools: caller.root }, lastId ?? undefined, request.signal);
  });
}
