import { shownSettings } from "../../config/print.ts";
import type { Config } from "../../config.ts";
import { isGuessable, LEAST_KEY_CHARS } from "../../http/auth.ts";
import { ClientAddresses } from "../../http/client-address.ts";
import { dashboardPages } from "../../http/dashboard.ts";
import { createApi } from "../../http/server.ts";
import { AppError, messageOf } from "../../lib/app-error.ts";
import type { Millrace } from "../../millrace.ts";
import { type Served, serve } from "../../runtime/serve.ts";
import { createLog, type Log } from "../../telemetry/log.ts";
import { diagramRoutes } from "../../workloads/diagrams/service/routes.ts";
import { siteHandlers } from "../../workloads/sites/http/routes.ts";
import { defineCommand } from "../command.ts";
import { dataPlace, hasChromium, poolProblems } from "../engine.ts";
import { allKinds } from "../kinds-file.ts";
import { loadConfigOrComplain, SettingsError } from "../load.ts";
import { siteRouteOptions } from "../site-settings.ts";
import { runtimeName, start } from "../until-stopped.ts";
import { version } from "../version.ts";

export const command = defineCommand({
  flags: {
    load: { type: "string", multiple: true, value: "<file>", doc: "also serve the kinds that this module exports" },
    "no-pools": { type: "boolean", doc: "take jobs and answer questions; leave the work to `millrace work`" },
  },
  examples: ["serve", "serve --load ./my-kinds.ts", "serve --no-pools"],
  async run({ flags }) {
    const config = loadConfigOrComplain({ listens: true });
    const kinds = await allKinds(config, flags.load ?? []);
    const misnamed = poolProblems(config, kinds);
    if (misnamed.length > 0) throw new SettingsError(misnamed);
    const log = createLog({ level: config.logLevel, format: config.logFormat });
    const { engine, untilStopped } = await start(config, { log, kinds, work: !flags["no-pools"] });
    const server = await listen(config, engine, log).catch(async (error) => {
      await engine.stop({ graceMs: 0 });
      throw notListening(error, config);
    });
    greet(server, config);
    log.info("server started", { host: server.hostname, port: server.port, runtime: runtimeName() });
    return untilStopped(server);
  },
});

async function listen(config: Config, engine: Millrace, log: Log): Promise<Served> {
  const api = createApi({
    engine,
    apiKey: config.apiKey,
    site: { loopbackOnly: config.apiKey === undefined && !config.allowAnonymous, corsOrigins: config.corsOrigins },
    trustedProxies: config.trustedProxies,
    settings: () => shownSettings(config),
    version: version(),
    log,
    pages: dashboardPages(),
    keepsHistory: true,
    routes: (closing) => [
      ...diagramRoutes({
        engine,
        closing,
        settings: {
          maxChars: config.renderMaxChars,
          maxWaitMs: config.renderMaxWaitMs,
          syncWaitMs: config.syncWaitMs,
          privateLinks: config.privateLinks,
          hasChromium: hasChromium(config),
        },
      }),
      ...siteHandlers(engine, siteRouteOptions(config)),
    ],
  });
  const addresses = new ClientAddresses(config.trustedProxies);
  if (config.apiKey !== undefined && isGuessable(config.apiKey))
    log.warn("API_KEY is short", { least: LEAST_KEY_CHARS });
  const server = await serve({
    hostname: config.host,
    port: config.port,
    fetch: api.fetch,
    log,
    limits: { idleMs: config.httpIdleMs, connectionsPerPeer: config.maxConnectionsPerPeer },
    isTrusted: (address) => addresses.isTrusted(address),
  });
  return {
    ...server,
    stop: (options) => {
      api.close();
      return server.stop(options);
    },
  };
}

// For people, so on standard error: standard output carries log lines only, which programs read.
function greet(server: Served, config: Config): void {
  const host = server.hostname.includes(":") ? `[${server.hostname}]` : server.hostname;
  const url = `http://${host}:${server.port}`;
  process.stderr.write(`
  Millrace listens on ${url}
  Dashboard           ${url}/ui/
  Its data is in      ${dataPlace(config)}
  Try                 curl ${url}/jobs -H 'content-type: application/json' -d '{"payload": {"text": "hello"}}'
  Read                ${url}/docs

`);
}

function notListening(error: unknown, { host, port }: Config): AppError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return new AppError("port-taken", `port ${port} on ${host} is taken. Set PORT to another one, or to 0.`);
  }
  return new AppError("not-listening", `could not listen on ${host}:${port}: ${messageOf(error)}`, { cause: error });
}
