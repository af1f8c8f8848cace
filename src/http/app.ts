import { AppError } from "../lib/app-error.ts";
import type { FetchHandler } from "../runtime/serve.ts";
import type { Log } from "../telemetry/log.ts";
import { type AuthOptions, callerOf, unauthorized } from "./auth.ts";
import type { Bound } from "./bind.ts";
import { type Caller, requireScope } from "./caller.ts";
import { type ClientAddresses, networkOf } from "./client-address.ts";
import type { Pages } from "./dashboard.ts";
import { errorResponse } from "./errors.ts";
import type { MissLimit } from "./miss-limit.ts";
import { createRouter, pathOf, type Router } from "./router.ts";
import { corsHeaders, guardSite, preflight, type SiteOptions, variesByOrigin } from "./same-site.ts";
import { traceIdOf } from "./trace.ts";

export interface AppOptions {
  readonly routes: readonly Bound[];
  readonly auth: AuthOptions;
  readonly site: SiteOptions;
  readonly log: Log;
  readonly addresses: ClientAddresses;
  /** Of job ids that do not exist for whoever asks, by key and network. */
  readonly unknownJobs: MissLimit;
  /** Asked before the routes; open to everyone. */
  readonly pages?: Pages | undefined;
}

/** All routes as one Fetch handler: trace id, site guard, caller, scope, handler, errors, in that order. */
export function createApp(options: AppOptions): FetchHandler {
  const { site } = options;
  const router = createRouter(
    options.routes.map((bound) => ({ method: bound.spec.method, path: bound.spec.path, route: routeOf(bound) })),
  );
  const varies = variesByOrigin(site);
  const mayCross = site.corsOrigins.length > 0;
  return async (request, peer) => {
    const traceId = traceIdOf(request);
    const from = {
      // Few ask for it.
      get address() {
        return options.addresses.of(request, peer.address);
      },
    };
    const response = await answer(router, request, { traceId, from }, options);
    if (mayCross) {
      const cors = corsHeaders(request, site);
      for (const name in cors) response.headers.set(name, cors[name] as string);
      if (varies) response.headers.append("vary", "Origin");
    }
    return response;
  };
}

interface Route {
  readonly bound: Bound;
  /** For the log: an address may hold what must not stand there. */
  readonly name: string;
}

interface Surroundings {
  readonly traceId: string;
  readonly from: Parameters<FetchHandler>[1];
}

async function answer(
  router: Router<Route>,
  request: Request,
  surroundings: Surroundings,
  options: AppOptions,
): Promise<Response> {
  const { traceId } = surroundings;
  let route: Route | undefined;
  try {
    const early = preflight(request, options.site, traceId);
    if (early) return early;
    guardSite(request, options.site);
    // Whatever answers GET answers HEAD; the runtimes leave the body out.
    const { method } = request;
    const path = pathOf(request.url);
    const page = options.pages?.(request, path);
    if (page) {
      page.headers.set("x-trace-id", traceId);
      return page;
    }
    const found = router.find(method === "HEAD" ? "GET" : method, path);
    if (!found) throw notFound(router, method, path.slice(0, 200));
    route = found.route;
    return await run(route, found.params, request, surroundings, options);
  } catch (error) {
    // Whoever has gone reads no answer, and that they have gone is no fault.
    if (request.signal.aborted) return new Response(null, { status: 499 });
    return errorResponse(error, traceId, options.log, route === undefined ? {} : { route: route.name });
  }
}

async function run(
  { bound, name }: Route,
  params: Record<string, string>,
  request: Request,
  { traceId, from }: Surroundings,
  options: AppOptions,
): Promise<Response> {
  const { access } = bound.spec;
  const found = await callerOf(request, { traceId, route: name, from }, options.auth);
  if (!found && access !== "open") {
    options.auth.log.failed({ traceId, route: name, reason: "no key", address: networkOf(from.address) });
    throw unauthorized();
  }
  const caller = found ?? NOBODY;
  requireScope(caller, access);
  try {
    return await bound.handle({ request, params, caller, traceId, from });
  } catch (error) {
    // The administrator sees every job, so there is nothing to guess.
    if (isUnknownJob(error) && !caller.root) options.unknownJobs.count(`${caller.name} ${networkOf(from.address)}`);
    throw error;
  }
}

function isUnknownJob(error: unknown): boolean {
  return error instanceof AppError && error.code === "job-not-found";
}

function notFound(router: Router<Route>, method: string, path: string): AppError {
  const known = router.methodsAt(path);
  if (known.length === 0) return new AppError("not-found", `There is no ${path} here.`, { hint: "See /docs." });
  const allow = known.flatMap((each) => (each === "GET" ? ["GET", "HEAD"] : [each])).join(", ");
  return new AppError("method-not-allowed", `${path} does not take ${method}.`, {
    hint: `It takes ${allow}.`,
    details: { headers: { allow } },
  });
}

const NOBODY: Caller = { name: "nobody", tenant: "default", scopes: new Set(), root: false };

function routeOf(bound: Bound): Route {
  return { bound, name: `${bound.spec.method} ${bound.spec.path}` };
}
