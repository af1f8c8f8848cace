// A server as `millrace serve` makes it, on the kinds of these tests: serve.ts <options as JSON>

import { diagramRoutes } from "../../../packages/diagrams/src/service/routes.ts";
import { diagrams } from "../../../packages/diagrams/src/workload.ts";
import { SETTINGS } from "../../../packages/millrace/src/config/settings.ts";
import { ClientAddresses } from "../../../packages/millrace/src/http/auth/client-address.ts";
import { createApi } from "../../../packages/millrace/src/http/server.ts";
import { Millrace, postgres, sqlite } from "../../../packages/millrace/src/index.ts";
import { type ServeLimits, serve } from "../../../packages/millrace/src/runtime/serve.ts";
import { createLog, type LogOptions } from "../../../packages/millrace/src/telemetry/log/log.ts";
import { siteHandlers } from "../../../packages/sites/src/http/routes.ts";
import { sites } from "../../../packages/sites/src/workload.ts";
import { KINDS, SHARED_LIMITS, SITES } from "./kinds.ts";

export interface ServerOptions {
  /** A file, or the address of a PostgreSQL database. */
  readonly path: string;
  readonly apiKey?: string;
  readonly corsOrigins?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly logLevel?: LogOptions["level"];
  readonly limits?: Partial<ServeLimits>;
  readonly settings?: Record<string, unknown>;
}

const NO_PRINTING = { findBrowser: async () => undefined, limitMs: 5_000 };
const DIAGRAMS = {
  maxChars: 50_000,
  maxWaitMs: 60_000,
  syncWaitMs: 5_000,
  drawRate: 600,
  privateLinks: false,
  hasUpstream: false,
  hasChromium: false,
};

/** With parts for a kind, its module is for everyone who may read. */
const PARTS = { greeting: {} };

const options = JSON.parse(process.argv[2] ?? "") as ServerOptions;
const { apiKey, corsOrigins = [] } = options;
const log = createLog({ level: options.logLevel ?? "warn", format: "json" });
const settings = { healthIntervalMs: 3_600_000, ...options.settings };
const store = options.path.startsWith("postgres:") ? postgres(options.path) : sqlite(options.path);
const engine = await Millrace.open({ store, kinds: KINDS, limits: SHARED_LIMITS, log, ...settings });
const api = await createApi({
  engine,
  apiKey,
  site: { loopbackOnly: apiKey === undefined, corsOrigins },
  trustedProxies: options.trustedProxies ?? [],
  settings: () => [{ name: "API_KEY", value: SETTINGS.apiKey.show(apiKey), doc: SETTINGS.apiKey.doc }],
  version: "0.0.0",
  log,
  keepsHistory: true,
  workloads: {
    names: ["greetings"],
    pages: [
      { workload: "greetings", module: new URL("../../../examples/workload/page.js", import.meta.url), kinds: PARTS },
    ],
    errors: { ...diagrams.errors, ...sites.errors },
    routes: async ({ closing }) => [
      ...diagramRoutes({ engine, settings: DIAGRAMS, closing }),
      ...siteHandlers(engine, { settings: SITES, printing: NO_PRINTING }),
    ],
  },
});
const trusted = new ClientAddresses(options.trustedProxies ?? []);
const server = await serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: api.fetch,
  log,
  ...(options.limits && { limits: options.limits }),
  isTrusted: (address) => trusted.isTrusted(address),
});
process.once("SIGTERM", () => {
  api.close();
  void Promise.all([server.stop({ graceMs: 2_000 }), engine.stop({ graceMs: 2_000 })]).then(() => process.exit(0));
});
// What is left when the garbage is gone, for tests that ask whether memory grows.
let collected = 0;
const { Bun: bun, gc } = globalThis as { Bun?: { gc(now: boolean): void }; gc?: () => void };
process.on("SIGUSR2", () => {
  for (let i = 0; i < 3; i++) bun ? bun.gc(true) : gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.stderr.write(`kept ${++collected} ${rss} ${heapUsed}\n`);
});
process.stderr.write(`listens on ${server.port}\n`);
