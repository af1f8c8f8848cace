import type { Fetch } from "../client/index.ts";
import { shownSettings } from "../config/print.ts";
import type { Config } from "../config.ts";
import { createApi } from "../http/server.ts";
import { defineKind, type Kind } from "../index.ts";
import { createLog, type Log } from "../telemetry/log.ts";
import { siteHandlers } from "../workloads/sites/http/routes.ts";
import { openEngine } from "./engine.ts";
import { siteRouteOptions } from "./site-settings.ts";
import { version } from "./version.ts";

export interface FileOptions {
  /** The command names a kind for new jobs: the kinds that the store knows are asked for first. */
  readonly submits?: boolean;
}

/** The API on a file, or on PostgreSQL, called directly: whoever can write to it is its administrator. */
export async function openFile(
  config: Config,
  path: string | undefined,
  { submits = false }: FileOptions = {},
): Promise<{ fetch: Fetch; close(): Promise<void> }> {
  const log = createLog({ level: "silent", format: "json" });
  const place = path === undefined ? config : { ...config, databaseUrl: undefined, jobDbPath: path };
  const kinds = submits ? await knownKinds(place, log) : [];
  const engine = await openEngine(place, { log, kinds, work: false, timers: false });
  const api = createApi({
    engine,
    apiKey: undefined,
    site: { loopbackOnly: true, corsOrigins: [] },
    settings: () => shownSettings(config),
    version: version(),
    log,
    routes: () => siteHandlers(engine, siteRouteOptions(config)),
  });
  return {
    fetch: async (url, init) => api.fetch(asReceived(url, init), { address: "127.0.0.1" }),
    close: async () => {
      api.close();
      await engine.stop({ graceMs: 0 });
    },
  };
}

/** Contracts of all kinds that a worker ever registered in the store. Their payload schemas live in the worker's code. */
async function knownKinds(place: Config, log: Log): Promise<Kind[]> {
  const engine = await openEngine(place, { log, kinds: [], work: false, timers: false });
  try {
    const known = await engine.kinds();
    return known.map(({ kind: name }) => defineKind({ name, payload: ANY_JSON, result: ANY_JSON }) as Kind);
  } finally {
    await engine.stop({ graceMs: 0 });
  }
}

const ANY_JSON = {
  "~standard": { version: 1 as const, vendor: "millrace", validate: (value: unknown) => ({ value }) },
};

/** With the header that a request has once it went over a wire. */
function asReceived(url: string, init: RequestInit): Request {
  const request = new Request(url, init);
  if (typeof init.body === "string") request.headers.set("content-length", String(Buffer.byteLength(init.body)));
  return request;
}
