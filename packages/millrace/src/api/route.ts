import type { StandardSchemaV1 } from "@standard-schema/spec";

/** Any Standard Schema: zod, valibot, arktype. OpenAPI shows its JSON Schema if it can give one. */
export type Schema<Output = unknown> = StandardSchemaV1<unknown, Output>;
type AnySchema = StandardSchemaV1<unknown, unknown>;
/** The type of a part that a route does not have. */
export type Nothing = StandardSchemaV1<undefined, undefined>;

/**
 * What a caller must be allowed to do. `open` needs no key, `root` needs the administrator's. The others are scopes, of the
 * engine or of a workload.
 */
export type Access = "open" | "submit" | "read" | "draw" | "admin" | "root" | WorkloadScope;

/** A scope that a workload brings: its name, a colon and a word, such as `greetings:write`. */
export type WorkloadScope = `${string}:${string}`;

/** One route as data: the server binds a handler to it, OpenAPI is written from it, and the client is typed by it. */
export interface RouteSpec<
  Params extends StandardSchemaV1 = AnySchema,
  Query extends StandardSchemaV1 = AnySchema,
  Body extends StandardSchemaV1 = AnySchema,
  Answer extends StandardSchemaV1 = AnySchema,
> {
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path, with parameters in braces: `/jobs/{jobId}`. */
  readonly path: string;
  /** The group of the route in OpenAPI. */
  readonly tag: string;
  /** One sentence for OpenAPI. */
  readonly summary: string;
  /** What a caller must be allowed to do. */
  readonly access: Access;
  /** The path holds a signature that the handler checks, so callers need not sign in to a mounted API. Default: they do. */
  readonly signed?: true;
  /** The schema of the parameters in the path. Default: none. */
  readonly params?: Params;
  /** The schema of the query. Default: none. */
  readonly query?: Query;
  /** The schema of the JSON body. Default: none. */
  readonly body?: Body;
  /** The body may be left out. Default: it is required. */
  readonly bodyOptional?: true;
  /** Media types of a body that the handler reads itself. Default: none. */
  readonly ownBody?: readonly string[];
  /** The status of a successful answer. */
  readonly status: 200 | 201 | 202 | 204;
  /** The schema of the JSON answer. Default: none. */
  readonly answer?: Answer;
  /** The media type of an answer that is not JSON. Default: JSON. */
  readonly answerType?: string;
  /** For `text/event-stream`: the schema of each event's data, by the event's name. Default: none. */
  readonly events?: Readonly<Record<string, StandardSchemaV1>>;
  /** The same answer comes with this status when something is wrong. Default: never. */
  readonly unwell?: 503;
  /** The error codes particular to this route, beside those that every route can return. Default: none. */
  readonly errors?: readonly string[];
  /** The route accepts an `Idempotency-Key`; a repetition is answered with 200. Default: it does not. */
  readonly idempotent?: true;
  /** Work that takes longer goes on after an answer with 202 and the same shape. Default: it does not. */
  readonly deferred?: true;
  /** An example for OpenAPI. Default: none. */
  readonly example?: {
    /** A body that the route accepts. */
    readonly body?: unknown;
    /** The answer. */
    readonly answer?: unknown;
  };
}

/** Declares a route with the types of its parts. `bind()` adds the handler. */
export function route<
  Params extends StandardSchemaV1 = Nothing,
  Query extends StandardSchemaV1 = Nothing,
  Body extends StandardSchemaV1 = Nothing,
  Answer extends StandardSchemaV1 = Nothing,
>(spec: RouteSpec<Params, Query, Body, Answer>): RouteSpec<Params, Query, Body, Answer> {
  return spec;
}
