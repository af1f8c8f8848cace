import { Hono } from "hono";
import { AppError } from "../lib/app-error.ts";
import type { FetchHandler } from "../runtime/serve.ts";
import type { Log } from "../telemetry/log.ts";
import { type AuthOptions, callerOf, unauthorized } from "./auth.ts";
import type { Bound } from "./bind.ts";
import { type Caller, requireScope } from "./caller.ts";
import { errorResponse } from "./errors.ts";
import { corsHeaders, guardSite, preflight, type SiteOptions, variesByOrigin } from "./same-site.ts";
import { traceIdOf, traceParentOf } from "./trace.ts";

export interface AppOptions {
  readonly routes: readonly Bound[];
  readonly auth: AuthOptions;
  readonly site: SiteOptions;
  readonly log: Log;
}

interface Surroundings {
  Bindings: {
    readonly traceId: string;
    readonly address: string | undefined;
    /** The route that was found, for the log: an address may hold what must not stand there. */
    route: string | undefined;
  };
}

/** All routes as one Fetch handler: trace id, site guard, caller, scope, handler, errors, in that order. */
export function createApp(options: AppOptions): FetchHandler {
  const hono = routed(options);
  const varies = variesByOrigin(options.site);
  return async (request, { address }) => {
    const traceId = traceIdOf(request);
    const response = await answer(hono, request, { traceId, address, route: undefined }, options);
    response.headers.set("x-trace-id", traceId);
    const cors = corsHeaders(request, options.site);
    for (const name in cors) response.headers.set(name, cors[name] as string);
    if (varies) response.headers.append("vary", "Origin");
    return response;
  };
}

async function answer(
  hono: Hono<Surroundings>,
  request: Request,
  surroundings: Surroundings["Bindings"],
  options: AppOptions,
): Promise<Response> {
  try {
    const early = preflight(request, options.site);
    if (early) return early;
    guardSite(request, options.site);
    return await hono.fetch(request, surroundings);
  } catch (error) {
    // Whoever has gone reads no answer, and that they have gone is no fault.
    if (request.signal.aborted) return new Response(null, { status: 499 });
    const { route } = surroundings;
    return errorResponse(error, surroundings.traceId, options.log, route === undefined ? {} : { route });
  }
}

function routed(options: AppOptions): Hono<Surroundings> {
  const hono = new Hono<Surroundings>();
  for (const bound of options.routes) {
    const { method, path } = bound.spec;
    const route = `${method} ${path}`;
    hono.on(method, honoPath(path), (context) => {
      context.env.route = route;
      return run(bound, context.req.raw, context.req.param(), { ...context.env, route }, options);
    });
  }
  hono.notFound(({ req }) => {
    const known = METHODS.filter((method) => hono.router.match(method, req.path)[0].length > 0);
    const path = req.path.slice(0, 200);
    if (known.length === 0) throw new AppError("not-found", `There is no ${path} here.`, { hint: "See /docs." });
    const allow = known.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
    throw new AppError("method-not-allowed", `${path} does not take ${req.method}.`, {
      hint: `It takes ${allow}.`,
      details: { headers: { allow } },
    });
  });
  hono.onError((error) => {
    throw error;
  });
  return hono;
}

async function run(
  bound: Bound,
  request: Request,
  params: Record<string, string>,
  { traceId, address, route }: { traceId: string; address: string | undefined; route: string },
  options: AppOptions,
): Promise<Response> {
  const { access } = bound.spec;
  const found = await callerOf(request, { traceId, route }, options.auth);
  if (!found && access !== "open") throw unauthorized();
  const caller = found ?? NOBODY;
  requireScope(caller, access);
  return bound.handle({ request, params, caller, traceId, traceParent: traceParentOf(request), address });
}

const METHODS = ["GET", "POST", "PUT", "DELETE"];
const NOBODY: Caller = { name: "nobody", tenant: "default", scopes: new Set(), root: false };

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
