// Requests made from the OpenAPI document and then broken: a generator for fast-check, so that a seed replays them.

import fc from "fast-check";
import type { Document, Operation, Parameter, Route, Schema } from "./openapi.ts";

export interface Request {
  readonly method: string;
  /** As the document has it. */
  readonly route: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export function malformedRequests(document: Document, routes: readonly Route[]): fc.Arbitrary<Request> {
  return fc.oneof(...routes.map((route) => requestOf(document, route)));
}

function requestOf(document: Document, { method, path, operation }: Route): fc.Arbitrary<Request> {
  const inPath = operation.parameters.filter((each) => each.in === "path");
  return fc
    .record({
      params: fc.tuple(...inPath.map((each) => paramOf(document, each))),
      query: queryOf(document, operation),
      headers: HEADERS,
      body: bodyOf(document, operation),
    })
    .map(({ params, query, headers, body }) => ({
      method,
      route: `${method} ${path}`,
      path: filled(path, params) + query,
      headers: { ...headers, ...(body.type !== undefined && { "content-type": body.type }) },
      ...(body.bytes !== undefined && method !== "GET" && { body: body.bytes }),
    }));
}

function filled(path: string, params: readonly string[]): string {
  let next = 0;
  return path.replaceAll(/\{\w+\}/g, () => params[next++] ?? "x");
}

// ── parts ───────────────────────────────────────────────────────────────────────────────────────────────────────────

function paramOf(document: Document, { schema }: Parameter): fc.Arbitrary<string> {
  const valid = fitting(document, schema).map((value) => encodeURIComponent(wellFormed(String(value))));
  const escapes = fc.constantFrom("%00", "%ff", "%", "%zz", "..%2f..", "%2e%2e", "job_00000000%0a", "a%20b", "💥");
  return fc.oneof(
    valid,
    escapes,
    text(40).map((each) => encodeURIComponent(wellFormed(each)) || "x"),
  );
}

function queryOf(document: Document, operation: Operation): fc.Arbitrary<string> {
  const known = operation.parameters.filter((each) => each.in === "query");
  const values = (each: Parameter) =>
    fc.oneof(fitting(document, each.schema).map(String), ABSURD.map(String), text(300));
  const pair = fc.oneof(
    ...known.map((each) =>
      // A job that is waited for would hold the request up, which is no fault.
      (each.name === "wait" ? text(8) : values(each)).map((value) => [each.name, value] as const),
    ),
    fc.tuple(fc.oneof(text(20), fc.constantFrom("__proto__", "constructor", "toString", "")), text(20)),
  );
  const none = fc.constant([]);
  return fc
    .oneof({ weight: 2, arbitrary: none }, { weight: 1, arbitrary: fc.array(pair, { maxLength: 3 }) })
    .map((pairs) => {
      const search = pairs.map(([name, value]) => `${encodeURIComponent(wellFormed(name))}=${escaped(value)}`);
      return search.length === 0 ? "" : `?${search.join("&")}`;
    });
}

interface Body {
  readonly type: string | undefined;
  readonly bytes: string | Uint8Array<ArrayBuffer> | undefined;
}

const TYPES = fc.oneof(
  { weight: 8, arbitrary: fc.constant("application/json") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "text/plain",
      "application/json; charset=latin1",
      "application/x-www-form-urlencoded",
      "x",
    ),
  },
);

function bodyOf(document: Document, { requestBody }: Operation): fc.Arbitrary<Body> {
  const schema = requestBody?.content["application/json"]?.schema ?? {};
  const valid = fitting(document, schema);
  const json = fc.oneof(
    { weight: 3, arbitrary: valid },
    { weight: 6, arbitrary: fc.tuple(valid, BREAK).map(([value, broken]) => broken(value)) },
    { weight: 2, arbitrary: JUNK },
  );
  const bytes = fc.oneof(
    { weight: 8, arbitrary: json.map((value) => JSON.stringify(value) ?? "null") },
    { weight: 1, arbitrary: text(200) },
    { weight: 1, arbitrary: fc.tuple(json, fc.nat()).map(([value, at]) => cut(JSON.stringify(value) ?? "", at)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((each) => Uint8Array.from(each)) },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: 5_000 }).map((deep) => "[".repeat(deep) + "]".repeat(deep)) },
  );
  const some = fc.record({ type: TYPES, bytes });
  const none = fc.constant({ type: undefined, bytes: undefined });
  const weights = requestBody ? [1, 15] : [10, 1];
  return fc.oneof({ weight: weights[0] as number, arbitrary: none }, { weight: weights[1] as number, arbitrary: some });
}

const HEADERS = fc
  .record(
    {
      "x-tenant-id": fc.oneof(ascii(70), fc.constantFrom("default", "a", "*")),
      "idempotency-key": ascii(300),
      "x-trace-id": ascii(200),
      traceparent: ascii(60),
      accept: ascii(60),
      cookie: ascii(80).map((value) => `millrace_session=${value}`),
      authorization: fc.oneof(
        ascii(60),
        ascii(60).map((value) => `Bearer ${value}`),
      ),
      "last-event-id": ascii(60),
      origin: fc.constantFrom("null", "http://evil.example", "x"),
    },
    { requiredKeys: [] },
  )
  // Rarely, for most of them end a request before the rest of it is looked at.
  .chain((all) => fc.nat({ max: 5 }).map((n) => (n === 0 ? all : {})));

// ── values ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A value that fits a schema, more or less: patterns are left to chance. */
function fitting(document: Document, schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (depth > 5) return fc.constant(null);
  const s = schema as {
    $ref?: string;
    anyOf?: Schema[];
    enum?: unknown[];
    const?: unknown;
    type?: string;
    pattern?: string;
    format?: string;
    properties?: Record<string, Schema>;
    required?: string[];
    items?: Schema;
    minimum?: number;
    maximum?: number;
  };
  if (s.$ref) return fitting(document, document.components.schemas[s.$ref.split("/").at(-1) ?? ""] ?? {}, depth + 1);
  if (s.anyOf) return fc.oneof(...s.anyOf.map((each) => fitting(document, each, depth + 1)));
  if (s.enum) return fc.constantFrom(...s.enum);
  if (s.const !== undefined) return fc.constant(s.const);
  switch (s.type) {
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries(s.properties ?? {}).map(([name, each]) => [name, fitting(document, each, depth + 1)]),
        ),
        { requiredKeys: s.required ?? [] },
      );
    case "array":
      return fc.array(fitting(document, s.items ?? {}, depth + 1), { maxLength: 3 });
    case "integer":
    case "number":
      return fc.integer({ min: Math.ceil(Math.max(s.minimum ?? 0, -1e6)), max: Math.min(s.maximum ?? 1e6, 1e6) });
    case "boolean":
      return fc.boolean();
    case "string":
      return stringOf(s);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function stringOf({ pattern, format }: { pattern?: string; format?: string }): fc.Arbitrary<string> {
  if (format === "date-time") return fc.constantFrom("2026-11-15T10:00:00.000Z", "2099-01-01T00:00:00+14:00");
  if (pattern?.startsWith("^job_")) return fc.stringMatching(/^job_[0-9A-Za-z]{8}$/);
  if (pattern?.startsWith("^[a-z]")) return fc.constantFrom("quick", "fails", "strict", "piped", "nobody");
  return fc.oneof(fc.constantFrom("a", "* * * * *", "UTC"), text(20));
}

const ABSURD = fc.constantFrom(
  1e308,
  -1e308,
  9_007_199_254_740_992,
  -1,
  0,
  -0,
  1.5,
  2 ** 31,
  2 ** 63,
  1e-320,
  99_999_999_999_999,
);
const JUNK: fc.Arbitrary<unknown> = fc.oneof(
  ABSURD,
  text(50),
  fc.constantFrom(null, true, "", [], {}, "\u0000", "\ud800", "x".repeat(5_000), [[[[]]]], "9999-99-99T99:99:99Z"),
  fc.jsonValue({ maxDepth: 3 }),
);

/** One thing wrong with a value that would have fitted. */
const BREAK: fc.Arbitrary<(value: unknown) => unknown> = fc
  .record({ at: fc.nat(), junk: JUNK, name: fc.oneof(text(10), fc.constantFrom("tenant", "state", "__proto__", "id")) })
  .chain(({ at, junk, name }) =>
    fc.constantFrom(
      (value: unknown) => replaced(value, at, junk),
      (value: unknown) => added(value, name, junk),
      (value: unknown) => dropped(value, at),
      (value: unknown) => [value, junk],
      (value: unknown) => ({ value }),
    ),
  );

function replaced(value: unknown, at: number, junk: unknown): unknown {
  if (typeof value !== "object" || value === null) return junk;
  const keys = Object.keys(value);
  const key = keys[at % Math.max(1, keys.length)];
  if (key === undefined) return junk;
  const within = replaced((value as Record<string, unknown>)[key], Math.floor(at / 3), junk);
  return Array.isArray(value) ? value.with(Number(key), within) : { ...value, [key]: within };
}

function added(value: unknown, name: string, junk: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { [name]: junk };
  // Own and enumerable, which an assignment of __proto__ would not be.
  return Object.defineProperty({ ...value }, name, { value: junk, enumerable: true, configurable: true });
}

function dropped(value: unknown, at: number): unknown {
  if (typeof value !== "object" || value === null) return null;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.filter((_, i) => i !== at % Math.max(1, entries.length)));
}

function cut(json: string, at: number): string {
  return json.slice(0, at % Math.max(1, json.length));
}

function text(maxLength: number): fc.Arbitrary<string> {
  return fc.oneof(fc.string({ maxLength }), fc.string({ maxLength, unit: "binary" }));
}

/** What a client lets through as a header. */
function ascii(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ maxLength, unit: "grapheme-ascii" }).map((each) => each.replaceAll(/[^\x20-\x7e]/g, "").trim());
}

function wellFormed(each: string): string {
  return each.toWellFormed();
}

function escaped(value: string): string {
  return encodeURIComponent(wellFormed(value));
}
