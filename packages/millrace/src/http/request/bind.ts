import { gzipSync } from "node:zlib";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { z } from "zod";
import type { RouteSpec } from "../../api/route.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Caller } from "../auth/caller.ts";
import { fieldsOf, parsePart } from "./parse-part.ts";
import { readJson } from "./read-body.ts";

/** A request that was understood: its parts are parsed, and the caller is known and allowed. */
export interface Exchange<Params = unknown, Query = unknown, Body = unknown> {
  /** The parameters in the path. */
  readonly params: Params;
  /** The query. */
  readonly query: Query;
  /** The body. */
  readonly body: Body;
  /** Who sends the request. */
  readonly caller: Caller;
  /** The request itself. */
  readonly request: Request;
  /** The trace id of the request. */
  readonly traceId: string;
  /** Where the request comes from. */
  readonly from: {
    /** The address of the client. Undefined if the handler is mounted in another application. */
    readonly address: string | undefined;
  };
  /** The path before every address that an answer names: `""` or `/millrace`. */
  readonly basePath: string;
}

/** What a handler returns: the answer of its route, or a response of its own. */
export type HandlerAnswer<Answer> = Response | { body?: Answer; status?: number; headers?: Record<string, string> };

/** A route with its handler. */
export interface BoundRoute {
  /** The route. */
  readonly spec: RouteSpec;
  /** Parses the request, calls the handler and makes the response. */
  handle(request: RoutedRequest): Promise<Response>;
}

/** A request before its parts are parsed. */
export interface RoutedRequest {
  /** The request itself. */
  readonly request: Request;
  /** The parameters in the path, as text. */
  readonly params: Record<string, string>;
  /** Who sends the request. */
  readonly caller: Caller;
  /** The trace id of the request. */
  readonly traceId: string;
  /** Where the request comes from. */
  readonly from: {
    /** The address of the client. Undefined if the handler is mounted in another application. */
    readonly address: string | undefined;
  };
  /** The path before every address that an answer names: `""` or `/millrace`. */
  readonly basePath: string;
}

type SchemaOutput<T> = T extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<T> : undefined;
type SchemaInput<T> = T extends StandardSchemaV1 ? StandardSchemaV1.InferInput<T> : undefined;

/**
 * Binds a handler to a route. Invalid requests are refused before the handler is called.
 *
 * @example
 * ```ts
 * import { bind, route } from "millrace/workload";
 * import { z } from "zod";
 *
 * const greet = route({
 *   method: "GET",
 *   path: "/greetings/{name}",
 *   tag: "greetings",
 *   summary: "Greets a person by name.",
 *   access: "read",
 *   params: z.object({ name: z.string() }),
 *   answer: z.object({ text: z.string() }),
 *   status: 200,
 * });
 * export const routes = [bind(greet, async ({ params }) => ({ body: { text: `Hello, ${params.name}` } }))];
 * ```
 */
export function bind<
  P extends StandardSchemaV1,
  Q extends StandardSchemaV1,
  B extends StandardSchemaV1,
  A extends StandardSchemaV1,
>(
  spec: RouteSpec<P, Q, B, A>,
  handler: (
    exchange: Exchange<SchemaOutput<P>, SchemaOutput<Q>, SchemaOutput<B>>,
  ) => Promise<HandlerAnswer<SchemaInput<A>>>,
): BoundRoute {
  return {
    spec: spec as unknown as RouteSpec,
    async handle(incoming) {
      const { request, caller, traceId, from, basePath } = incoming;
      const answered = await handler({
        request,
        caller,
        traceId,
        from,
        basePath,
        params: parseParams(spec, incoming) as SchemaOutput<P>,
        query: parseQuery(spec.query, request) as SchemaOutput<Q>,
        body: (await parseBody(spec, request)) as SchemaOutput<B>,
      });
      if (answered instanceof Response) {
        answered.headers.set("x-trace-id", traceId);
        return answered;
      }
      const { body } = answered;
      const status = answered.status ?? spec.status;
      // The headers are passed whole, because headers set afterwards cost as much as the rest of the answer.
      const headers: Record<string, string> = { ...answered.headers, "x-trace-id": traceId };
      if (body === undefined) return new Response(null, { status, headers });
      headers["content-type"] = "application/json";
      headers["cache-control"] = "no-store";
      headers["x-content-type-options"] = "nosniff";
      const text = JSON.stringify(body);
      const packed = packedFor(request, text);
      if (!packed) return new Response(text, { status, headers });
      headers["content-encoding"] = "gzip";
      headers["vary"] = "Accept-Encoding";
      return new Response(packed, { status, headers });
    },
  };
}

/** A shorter answer is not packed: that would save less than a network packet. */
const PACKED_FROM_CHARS = 4_000;

/**
 * The packed answer for a caller that accepts gzip. Level 1: a list of 200 jobs takes about a millisecond and a tenth
 * of its size.
 */
function packedFor(request: Request, text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length < PACKED_FROM_CHARS) return undefined;
  if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) return undefined;
  return new Uint8Array(gzipSync(text, { level: 1 }));
}

/** The body of a route that takes none. A request may still bring one: it has the same bounds, and must be empty. */
const NOTHING = z.strictObject({});
const SAFE = new Set(["GET", "HEAD"]);

async function parseBody(spec: RouteSpec, request: Request): Promise<unknown> {
  if (spec.ownBody) return undefined;
  if (!spec.body)
    return SAFE.has(request.method) ? undefined : parsePart(NOTHING, (await readJson(request)) ?? {}, "body");
  const body = await readJson(request);
  if (body === undefined && spec.bodyOptional) return parsePart(spec.body, {}, "body");
  if (body === undefined) throw new AppError("invalid-json", "This request needs a JSON body.");
  return parsePart(spec.body, body, "body");
}

/**
 * A path that the schema refuses names nothing, so the answer is 404. A PUT would create the thing: the answer is then
 * 422 and says why it cannot.
 */
function parseParams(
  { params: schema, method }: Pick<RouteSpec, "params" | "method">,
  { params, basePath }: RoutedRequest,
): unknown {
  if (!schema) return undefined;
  if (method === "PUT") return parsePart(schema, params, "address");
  const result = schema["~standard"].validate(params);
  if (!(result instanceof Promise) && !result.issues) return result.value;
  throw new AppError("not-found", "Not found.", { hint: `See ${basePath}/docs.` });
}

/**
 * A GET ignores unknown parameters and takes an empty one as not given: a cache buster or an empty form field must not
 * break it. Other methods refuse both, because a mistyped filter would act on more than was meant.
 */
function parseQuery(schema: StandardSchemaV1 | undefined, request: Request): unknown {
  const start = request.url.indexOf("?");
  if (start < 0) return schema && parsePart(schema, {}, "query");
  const search = new URLSearchParams(request.url.slice(start + 1));
  const reads = SAFE.has(request.method);
  if (!schema) {
    const [name] = search.keys();
    if (name === undefined || reads) return undefined;
    throw new AppError("invalid-request", `Unknown query parameter "${name.slice(0, 100)}".`, {
      details: { issues: [{ path: name.slice(0, 100), message: "is not a known field" }] },
    });
  }
  const values: Record<string, string> = Object.create(null);
  const known = fieldsOf(schema);
  for (const [name, value] of search) {
    if (reads && known && (value === "" || !Object.hasOwn(known, name))) continue;
    // A schema without a list of names may not know this one at all.
    if (name in values && (known || !reads)) throw twice(name.slice(0, 100));
    values[name] = value;
  }
  return parsePart(schema, { ...values }, "query");
}

function twice(name: string): AppError {
  return new AppError("invalid-request", `The query parameter "${name}" is given twice.`, {
    details: { issues: [{ path: name, message: "is given twice" }] },
  });
}
