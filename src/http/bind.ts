import { z } from "zod";
import type { RouteSpec } from "../api/route.ts";
import { AppError } from "../lib/app-error.ts";
import type { Caller } from "./caller.ts";
import { invalidRequest } from "./errors.ts";
import { inWords } from "./issues.ts";
import { readJson } from "./read-body.ts";

/** A request that was understood: all parts parsed, the caller known and allowed. */
export interface Exchange<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Caller;
  readonly request: Request;
  readonly traceId: string;
  readonly from: { readonly address: string | undefined };
}

/** What a handler gives: the answer of its spec, or a response of its own making. */
export type Answered<Answer> = Response | { body?: Answer; status?: number; headers?: Record<string, string> };

export interface Bound {
  readonly spec: RouteSpec;
  handle(request: Incoming): Promise<Response>;
}

export interface Incoming {
  readonly request: Request;
  readonly params: Record<string, string>;
  readonly caller: Caller;
  readonly traceId: string;
  readonly from: { readonly address: string | undefined };
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;
type Given<T> = T extends z.ZodType ? z.input<T> : undefined;

export function bind<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  spec: RouteSpec<P, Q, B, A>,
  handler: (exchange: Exchange<Out<P>, Out<Q>, Out<B>>) => Promise<Answered<Given<A>>>,
): Bound {
  return {
    spec: spec as unknown as RouteSpec,
    async handle(incoming) {
      const { request, caller, traceId, from } = incoming;
      const answered = await handler({
        request,
        caller,
        traceId,
        from,
        params: parseParams(spec, incoming.params) as Out<P>,
        query: parseQuery(spec.query, request) as Out<Q>,
        body: (await parseBody(spec, request)) as Out<B>,
      });
      if (answered instanceof Response) {
        answered.headers.set("x-trace-id", traceId);
        return answered;
      }
      const { body } = answered;
      const status = answered.status ?? spec.status;
      // Given whole, since headers set afterwards cost as much as the rest of the answer.
      const headers: Record<string, string> = { ...answered.headers, "x-trace-id": traceId };
      if (body === undefined) return new Response(null, { status, headers });
      headers["content-type"] = "application/json";
      headers["cache-control"] = "no-store";
      headers["x-content-type-options"] = "nosniff";
      return new Response(JSON.stringify(body), { status, headers });
    },
  };
}

/** What takes no body may still get one: held to the same bounds, and to having nothing in it. */
const NOTHING = z.strictObject({});
const SAFE = new Set(["GET", "HEAD"]);

async function parseBody(spec: RouteSpec, request: Request): Promise<unknown> {
  if (spec.ownBody) return undefined;
  if (!spec.body)
    return SAFE.has(request.method) ? undefined : parsed(NOTHING, (await readJson(request)) ?? {}, "body");
  const body = await readJson(request);
  if (body === undefined && spec.bodyOptional) return parsed(spec.body, {}, "body");
  if (body === undefined) throw new AppError("invalid-json", "A JSON body is needed.");
  return parsed(spec.body, body, "body");
}

/** Nothing has a name that the schema refuses, so the answer is 404. A PUT would create it: the answer is 422 and says why it cannot. */
function parseParams({ params: schema, method }: Pick<RouteSpec, "params" | "method">, params: unknown): unknown {
  if (!schema || method === "PUT") return parsed(schema, params, "address");
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  throw new AppError("not-found", "Nothing was found at this address.", { hint: "See /docs." });
}

/**
 * A GET ignores unknown parameters and takes an empty one as not given: a cache buster or an empty form field must not
 * break it. Other methods refuse both, because a mistyped filter would act on more than was meant.
 */
function parseQuery(schema: z.ZodType | undefined, request: Request): unknown {
  const start = request.url.indexOf("?");
  if (start < 0) return schema && parsed(schema, {}, "query");
  const search = new URLSearchParams(request.url.slice(start + 1));
  const reads = SAFE.has(request.method);
  if (!schema) {
    const [name] = search.keys();
    if (name === undefined || reads) return undefined;
    throw new AppError("invalid-request", `The query has an unknown field "${name.slice(0, 100)}".`, {
      details: { issues: [{ path: name.slice(0, 100), message: "is not a known field" }] },
    });
  }
  const values: Record<string, string> = Object.create(null);
  const known = schema instanceof z.ZodObject ? schema.shape : undefined;
  for (const [name, value] of search) {
    if (reads && known && (value === "" || !Object.hasOwn(known, name))) continue;
    // A schema without a list of names may not know this one at all.
    if (name in values && (known || !reads)) throw twice(name.slice(0, 100));
    values[name] = value;
  }
  return parsed(schema, { ...values }, "query");
}

function twice(name: string): AppError {
  return new AppError("invalid-request", `The query has "${name}" twice.`, {
    details: { issues: [{ path: name, message: "stands there twice" }] },
  });
}

function parsed(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value, { error: inWords });
  if (result.success) return result.data;
  throw invalidRequest(where, result.error);
}
