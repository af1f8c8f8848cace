import type { ErrorTable } from "../api/errors.ts";
import { AppError } from "../lib/app-error.ts";
import type { FetchHandler } from "../runtime/serve.ts";
import type { Log } from "../telemetry/log/log.ts";
import type { RequestOrigin } from "./auth/auth.ts";
import type { AuthLog } from "./auth/auth-log.ts";
import { type Caller, requireJob, requireScope } from "./auth/caller.ts";
import { type ClientAddresses, networkOf } from "./auth/client-address.ts";
import { keyInBasic, withoutKey } from "./auth/draw-key.ts";
import type { MissLimit } from "./auth/miss-limit.ts";
import { corsHeaders, guardSite, preflight, type SiteOptions, variesByOrigin } from "./auth/same-site.ts";
import type { PageResponder } from "./dashboard.ts";
import { errorResponse } from "./errors.ts";
import type { BoundRoute } from "./request/bind.ts";
import { createRouter, type Match, pathOf, type Router } from "./router.ts";
import { traceIdOf } from "./trace.ts";

export interface AppOptions {
  readonly routes: readonly BoundRoute[];
  /** The path below which all of it lives: `""` or `/millrace`. */
  readonly basePath: string;
  readonly access: AccessControl;
  readonly site: SiteOptions;
  readonly log: Log;
  readonly errors: ErrorTable;
  readonly addresses: ClientAddresses;
  /** Counts requests for job ids that do not exist for the caller, by key and network. */
  readonly unknownJobs: MissLimit;
  /** Answers requests before the routes do. */
  readonly pages?: PageResponder | undefined;
}

export interface AccessControl {
  /** The caller who sends a request. Undefined: unknown. */
  readonly callerOf: (request: Request, about: RequestOrigin) => Promise<Caller | undefined>;
  readonly unauthorized: () => AppError;
  /** Whether nothing is open: pages and open routes then need a known caller too. */
  readonly isPrivate: boolean;
  readonly log: AuthLog;
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
      // A getter, because few requests need it.
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
  readonly bound: BoundRoute;
  /** The name of the route for the log, because an address may hold a secret. */
  readonly name: string;
}

interface RequestContext {
  readonly traceId: string;
  readonly from: Parameters<FetchHandler>[1];
  readonly drawKey?: string;
}

async function answer(
  router: Router<Route>,
  request: Request,
  surroundings: RequestContext,
  options: AppOptions,
): Promise<Response> {
  const { traceId } = surroundings;
  let route: Route | undefined;
  let hasKey = false;
  try {
    const early = preflight(request, options.site, traceId);
    if (early) return early;
    guardSite(request, options.site);
    // Whatever answers GET answers HEAD; the runtimes leave the body out.
    const { method } = request;
    const { path, key } = withoutKey(pathBelow(options.basePath, pathOf(request.url)));
    hasKey = key !== undefined;
    const found = router.find(method === "HEAD" ? "GET" : method, path);
    route = found?.route;
    const isDrawn = route?.bound.spec.access === "draw";
    if (hasKey && !isDrawn) throw new AppError("not-found", "Nothing at this address takes a key in its path.");
    const drawKey = isDrawn ? (key ?? keyInBasic(request)) : undefined;
    const asking = drawKey === undefined ? surroundings : { ...surroundings, drawKey };
    const mustSignIn = options.access.isPrivate && !route?.bound.spec.signed;
    const caller = mustSignIn ? await known(request, route, asking, options) : undefined;
    const page = options.pages?.(request, path);
    if (page) {
      page.headers.set("x-trace-id", traceId);
      return page;
    }
    if (!found) throw notFound(router, method, path.slice(0, 200), options.basePath);
    return await run(found, request, asking, { ...options, caller });
  } catch (error) {
    // The client has disconnected, which is not an error, and reads no answer.
    if (request.signal.aborted) return new Response(null, { status: 499 });
    const { log, errors } = options;
    const told = errorResponse(error, traceId, {
      log,
      errors,
      about: route === undefined ? {} : { route: route.name },
    });
    if (hasKey) told.headers.set("referrer-policy", "no-referrer");
    return told;
  }
}

/** The path that routes know. If an application took the base path off, every link would lead elsewhere. */
function pathBelow(basePath: string, path: string): string {
  if (basePath === "") return path;
  if (path === basePath) return "/";
  if (path.startsWith(`${basePath}/`)) return path.slice(basePath.length);
  throw new AppError("not-found", `Not found: ${path.slice(0, 200)}.`, {
    hint: `This handler serves ${basePath} and the paths below it. Pass it the request with its whole path.`,
  });
}

/** The caller who sends the request. Throws if it is unknown. */
async function known(
  request: Request,
  route: Route | undefined,
  { traceId, from, drawKey }: RequestContext,
  { access }: AppOptions,
): Promise<Caller> {
  const name = route?.name ?? "a page";
  const found = await access.callerOf(request, { traceId, route: name, from, drawKey });
  if (found) return found;
  const { isPrivate, log } = access;
  const address = networkOf(from.address);
  const hasCredentials = request.headers.has("authorization");
  if (isPrivate && !hasCredentials) log.notSignedIn({ traceId, route: name, reason: "not signed in", address });
  else log.failed({ traceId, route: name, reason: isPrivate ? "not signed in" : "no key", address });
  throw access.unauthorized();
}

async function callerOfRoute(
  route: Route,
  request: Request,
  surroundings: RequestContext,
  options: AppOptions,
): Promise<Caller> {
  const { access, signed } = route.bound.spec;
  // The path proves what the request may do. The application that mounted the API need not know its sender.
  if (signed && options.access.isPrivate) return ANONYMOUS;
  if (access !== "open") return known(request, route, surroundings, options);
  return (await options.access.callerOf(request, { ...surroundings, route: route.name })) ?? ANONYMOUS;
}

async function run(
  { route, params }: Match<Route>,
  request: Request,
  surroundings: RequestContext,
  options: AppOptions & { readonly caller: Caller | undefined },
): Promise<Response> {
  const { traceId, from } = surroundings;
  const { bound } = route;
  const needs = bound.spec.access;
  const caller = options.caller ?? (await callerOfRoute(route, request, surroundings, options));
  requireScope(caller, needs);
  if (needs !== "open") requireJob(caller, bound.spec.method, params["jobId"]);
  try {
    return await bound.handle({ request, params, caller, traceId, from, basePath: options.basePath });
  } catch (error) {
    // The administrator sees every job, so there is nothing to guess.
    if (isUnknownJob(error) && !caller.root) options.unknownJobs.count(`${caller.name} ${networkOf(from.address)}`);
    throw error;
  }
}

function isUnknownJob(error: unknown): boolean {
  return error instanceof AppError && error.code === "job-not-found";
}

function notFound(router: Router<Route>, method: string, path: string, basePath: string): AppError {
  const methods = router.methodsAt(path);
  if (methods.length === 0) return new AppError("not-found", `Not found: ${path}.`, { hint: `See ${basePath}/docs.` });
  const allow = methods.flatMap((each) => (each === "GET" ? ["GET", "HEAD"] : [each])).join(", ");
  return new AppError("method-not-allowed", `${path} does not accept ${method}.`, {
    hint: `Allowed: ${allow}.`,
    details: { headers: { allow } },
  });
}

const ANONYMOUS: Caller = { name: "nobody", tenant: "default", scopes: new Set(), allTenants: false, root: false };

function routeOf(bound: BoundRoute): Route {
  return { bound, name: `${bound.spec.method} ${bound.spec.path}` };
}
