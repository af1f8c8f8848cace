// Every request of these tests goes through here, so that every answer is held to what the API promises of all of them.

import assert from "node:assert/strict";
import type { StandardSchemaV1 as Schema } from "@standard-schema/spec";
import { diagrams } from "../../../packages/diagrams/src/workload.ts";
import { ERRORS as ENGINE_ERRORS, ErrorBody, type ErrorTable } from "../../../packages/millrace/src/api/errors.ts";
import type { RouteSpec } from "../../../packages/millrace/src/api/route.ts";
import { sites } from "../../../packages/sites/src/workload.ts";
import type { Server } from "./server.ts";

const ERRORS: ErrorTable = { ...ENGINE_ERRORS, ...diagrams.errors, ...sites.errors };

export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>> | string;
  readonly body?: unknown;
  /** Null: none, also where the server has one. */
  readonly key?: string | null;
  readonly tenant?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  /** There when the status is 400 or more. */
  readonly error: ErrorBody;
}

type Out<A> = A extends Schema ? Schema.InferOutput<A> : undefined;

export async function call<P extends Schema, Q extends Schema, B extends Schema, A extends Schema>(
  server: Server,
  spec: RouteSpec<P, Q, B, A>,
  asked: Asked = {},
): Promise<Answer<Out<A>>> {
  const response = await send(server, spec.method, pathOf(spec.path, asked), asked);
  const { body, error } = await held(response, spec as unknown as RouteSpec);
  return { status: response.status, headers: response.headers, body: body as Out<A>, error: error as ErrorBody };
}

/** The same, and it must be the success that the route promises. */
export async function good<P extends Schema, Q extends Schema, B extends Schema, A extends Schema>(
  server: Server,
  spec: RouteSpec<P, Q, B, A>,
  asked: Asked = {},
): Promise<Out<A>> {
  const answer = await call(server, spec, asked);
  assert.equal(answer.status, spec.status, JSON.stringify(answer.error ?? answer.body));
  return answer.body;
}

/** The same, and it must be refused with this code. */
export async function refused<P extends Schema, Q extends Schema, B extends Schema, A extends Schema>(
  server: Server,
  spec: RouteSpec<P, Q, B, A>,
  asked: Asked,
  code: string,
): Promise<Answer<Out<A>>> {
  const answer = await call(server, spec, asked);
  assert.equal(answer.error?.code, code, JSON.stringify(answer.error ?? answer.body));
  assert.equal(answer.status, ERRORS[code]?.status);
  return answer;
}

export function send(server: Server, method: string, path: string, asked: Asked = {}): Promise<Response> {
  const key = asked.key === undefined ? server.apiKey : (asked.key ?? undefined);
  return fetch(server.url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(asked.body !== undefined && { "content-type": "application/json" }),
      ...(key !== undefined && { "x-api-key": key }),
      ...(asked.tenant !== undefined && { "x-tenant-id": asked.tenant }),
      ...asked.headers,
    },
    ...(asked.body !== undefined && {
      body: typeof asked.body === "string" ? asked.body : JSON.stringify(asked.body),
    }),
  });
}

/** Parses an answer and checks its status, type, trace id and shape. */
export async function held(response: Response, spec?: RouteSpec): Promise<{ body?: unknown; error?: ErrorBody }> {
  const traceId = response.headers.get("x-trace-id");
  assert.ok(traceId, "every answer carries X-Trace-Id");
  const text = await response.text();
  if (response.status >= 400) return { error: heldError(response, text, traceId) };
  const type = response.headers.get("content-type");
  const also = [spec?.idempotent && 200, spec?.deferred && 202];
  if (spec && !also.includes(response.status)) assert.equal(response.status, spec.status);
  if (!spec?.answer) {
    if (spec?.answerType) assert.ok(type?.startsWith(spec.answerType), `${type}`);
    else if (response.status === 204) assert.equal(text, "");
    return { body: text === "" ? undefined : text };
  }
  if (type?.startsWith("text/plain")) return { body: text };
  assert.equal(type, "application/json");
  const body = JSON.parse(text);
  const { issues } = await spec.answer["~standard"].validate(body);
  assert.equal(issues, undefined, `${spec.method} ${spec.path}: ${JSON.stringify(issues)} ${text.slice(0, 500)}`);
  return { body };
}

function heldError(response: Response, text: string, traceId: string): ErrorBody {
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/, text);
  // A health that is not well is told in the shape of a health.
  const parsed = JSON.parse(text);
  if (response.status === 503 && ("uptime" in parsed || "ready" in parsed)) return parsed;
  const error = ErrorBody.parse(parsed);
  assert.equal(error.traceId, traceId);
  assert.ok(Object.hasOwn(ERRORS, error.code), `${error.code} is not in the list of codes`);
  assert.equal(ERRORS[error.code]?.status, response.status);
  assert.doesNotMatch(text, /node_modules|\.ts:\d+|at \w+ \(/, "a stack trace");
  if (response.status === 429) assert.ok(Number(response.headers.get("retry-after")) >= 1, "Retry-After");
  return error;
}

export function pathOf(path: string, { params = {}, query = {} }: Asked): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? `{${name}}`));
  const text = typeof query === "string" ? query : new URLSearchParams(words(query)).toString();
  return text === "" ? filled : `${filled}?${text}`;
}

function words(query: Readonly<Record<string, string | number | boolean>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}
