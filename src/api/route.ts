import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";

/** What a caller must be allowed to do. `open` asks for no key at all, `root` for the administrator's. */
export type Access = "open" | "submit" | "read" | "admin" | "root";

/**
 * One route as data: the server binds a handler to it, OpenAPI is written from it, and the client is typed by it.
 * Paths have parameters in braces: `/jobs/{jobId}`.
 */
export interface RouteSpec<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The body may be left out. */
  readonly bodyOptional?: true;
  /** Bodies of these types, which the handler reads itself. */
  readonly ownBody?: readonly string[];
  readonly status: 200 | 201 | 202 | 204;
  readonly answer?: Answer;
  /** Beside JSON where there is an `answer`, instead of it where there is none. */
  readonly answerType?: string;
  /** Of a `text/event-stream`: what each event's data is, by the event's name. */
  readonly events?: Readonly<Record<string, z.ZodType>>;
  /** Answers in the same shape with this status when all is not well. */
  readonly unwell?: 503;
  /** The codes particular to this route; those any request can get are added to all. */
  readonly errors?: readonly ErrorCode[];
  /** Takes an `Idempotency-Key`; a replay answers 200. */
  readonly idempotent?: true;
  readonly example?: { readonly body?: unknown; readonly answer?: unknown };
}

export function route<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(spec: RouteSpec<Params, Query, Body, Answer>): RouteSpec<Params, Query, Body, Answer> {
  return spec;
}
