import type { Fetch } from "../client/index.ts";
import { shownSettings } from "../config/print.ts";
import type { Config } from "../config.ts";
import { createApi } from "../http/server.ts";
import { createLog } from "../telemetry/log.ts";
import { siteHandlers } from "../workloads/sites/http/routes.ts";
import { openEngine } from "./engine.ts";
import { siteRouteOptions } from "./site-settings.ts";
import { version } from "./version.ts";

/** The API on a file, or on PostgreSQL, called directly: whoever can write to it is its administrator. */
export async function openFile(
  config: Config,
  path: string | undefined,
): Promise<{ fetch: Fetch; close(): Promise<void> }> {
  const log = createLog({ level: "silent", format: "json" });
  // No kinds: registering some would change what a server that runs beside has registered.
  const place = path === undefined ? config : { ...config, databaseUrl: undefined, jobDbPath: path };
  const engine = await openEngine(place, { log, kinds: [], work: false, timers: false });
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

/** With the header that a request has once it went over a wire. */
function asReceived(url: string, init: RequestInit): Request {
  const request = new Request(url, init);
  if (typeof init.body === "string") request.headers.set("content-length", String(Buffer.byteLength(init.body)));
  return request;
}
