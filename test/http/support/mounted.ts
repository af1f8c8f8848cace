// An engine with a handler mounted below a path, in this process: requests are made without a port.

import type { TestContext } from "node:test";
import { z } from "zod";
import { createHandler, type Handler, type HandlerAuth } from "../../../packages/millrace/src/http/index.ts";
import { defineKind, Millrace, sqlite } from "../../../packages/millrace/src/index.ts";
import type { Log } from "../../../packages/millrace/src/telemetry/log/log.ts";

export const BASE = "/jobs-admin";

const greet = defineKind({
  name: "greet",
  payload: z.strictObject({ name: z.string() }),
  run: (_ctx, { name }) => `Hello ${name}`,
});

const waits = defineKind({
  name: "waits",
  payload: z.unknown(),
  run: ({ signal }) => new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
});

/** Says who comes by the header X-User: `name tenant scope,scope`. */
export const byHeader: HandlerAuth = (request) => {
  const [name, tenant, scopes = ""] = (request.headers.get("x-user") ?? "").split(" ");
  if (!name || !tenant) return undefined;
  return { name, tenant, scopes: scopes.split(",").filter(Boolean) as "read"[] };
};

export interface Mounted {
  readonly millrace: Millrace;
  readonly handler: Handler;
  /** What was logged as an error. */
  readonly errors: { event: string; fields: Record<string, unknown> }[];
  ask(path: string, asked?: Asked): Promise<Response>;
}

export interface Asked {
  readonly method?: string;
  readonly user?: string | undefined;
  readonly json?: unknown;
  readonly body?: string | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export const ADMIN = "ada * admin";

export async function mounted(t: Pick<TestContext, "after">, auth = byHeader, basePath = BASE): Promise<Mounted> {
  const errors: Mounted["errors"] = [];
  const log: Log = {
    infoEnabled: false,
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (event, fields = {}) => void errors.push({ event, fields: { ...fields } }),
    child: () => log,
  };
  const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [greet, waits], log });
  t.after(() => millrace.stop({ graceMs: 0 }));
  const handler = createHandler(millrace, { basePath, auth });
  const ask = (path: string, { user = ADMIN, json, headers, method, body, signal }: Asked = {}) => {
    const content = json === undefined ? body : JSON.stringify(json);
    return handler(
      new Request(`http://app.test${path}`, {
        method: method ?? (content === undefined ? "GET" : "POST"),
        headers: {
          ...(user !== "" && { "x-user": user }),
          ...(content !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(content !== undefined && { body: content, duplex: "half" }),
        ...(signal && { signal }),
      } as RequestInit),
    );
  };
  return { millrace, handler, errors, ask };
}
