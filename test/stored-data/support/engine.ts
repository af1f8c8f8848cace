// An engine of any version on the stored data, with its HTTP API: how the data is made, read and finished.

import { join } from "node:path";
import type { Millrace } from "../../../packages/millrace/src/index.ts";
import { type EngineModule, kindsOf } from "./kinds.ts";

export const ADMINISTRATOR = "stored-data-administrator";

/** Where the data is: the path of a SQLite file or the URL of a database. */
export type Location = string;

export interface OpenOptions {
  /** The checkout whose engine it is. */
  readonly checkout: string;
  readonly version: "1" | "2";
  readonly making: boolean;
  readonly work: boolean;
}

export interface StoredEngine {
  readonly millrace: Millrace;
  /** One request to the API; rejects unless it succeeds. `as`: a key or a cookie instead of the administrator's key. */
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
  stop(): Promise<void>;
}

export interface RequestOptions {
  readonly body?: unknown;
  readonly tenant?: string;
  readonly idempotencyKey?: string;
  readonly as?: { readonly key: string } | { readonly cookie: string };
  /** Resolves to the response itself, whatever its status. */
  readonly raw?: boolean;
}

export async function openEngine(
  location: Location,
  { checkout, version, making, work }: OpenOptions,
): Promise<StoredEngine> {
  const source = join(checkout, "packages/millrace/src");
  const engine: EngineModule = await import(join(source, "index.ts"));
  const { createApi } = await import(join(source, "http/server.ts"));
  const millrace = await engine.Millrace.open({
    store: location.startsWith("postgres:") ? engine.postgres(location) : engine.sqlite(location),
    kinds: kindsOf(engine, { version, making }),
    limiters: { post: { count: 1_000, perMs: 60_000 } },
    deployment: `v${version}`,
    work,
    timers: work,
    log: false,
    shutdownGraceMs: 0,
  });
  const site = { loopbackOnly: false, corsOrigins: [] };
  const api = await createApi({ engine: millrace, apiKey: ADMINISTRATOR, site, version: "0.0.0", log: millrace.log });
  const request: StoredEngine["request"] = async (method, path, options = {}) => {
    const { body, tenant, as, idempotencyKey, raw } = options;
    const headers = new Headers(body === undefined ? {} : { "content-type": "application/json" });
    if (as && "cookie" in as) headers.set("cookie", as.cookie);
    else headers.set("authorization", `Bearer ${as?.key ?? ADMINISTRATOR}`);
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
    if (tenant !== undefined) headers.set("x-tenant-id", tenant);
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response: Response = await api.fetch(new Request(`http://127.0.0.1${path}`, init), { address: "127.0.0.1" });
    if (raw) return response;
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  return {
    millrace,
    request,
    stop: async () => {
      api.close();
      await millrace.stop();
    },
  };
}
