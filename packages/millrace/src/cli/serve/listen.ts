import { shownSettings } from "../../config/print.ts";
import type { Config } from "../../config.ts";
import { isGuessable, LEAST_KEY_CHARS } from "../../http/auth/auth.ts";
import { ClientAddresses } from "../../http/auth/client-address.ts";
import { dashboardPages } from "../../http/dashboard.ts";
import { createApi } from "../../http/server.ts";
import { AppError, messageOf } from "../../lib/app-error.ts";
import { VERSION } from "../../lib/runtime/version.ts";
import type { Millrace } from "../../millrace.ts";
import { type FetchHandler, type ListeningServer, serve } from "../../runtime/serve.ts";
import type { Log } from "../../telemetry/log/log.ts";
import { servedBy } from "../../workload/compose.ts";
import type { Workload } from "../../workload/workload.ts";

export interface ListenOptions {
  readonly config: Config;
  readonly engine: Millrace;
  readonly log: Log;
  readonly workloads: readonly Workload[];
  /** The address to listen at. Default: HOST and PORT. */
  readonly at?: { readonly host: string; readonly port: number };
  /** A wrapper around the API's handler. */
  readonly around?: (fetch: FetchHandler) => FetchHandler;
}

/** The API and the dashboard of an engine, on its port. */
export async function listen({
  config,
  engine,
  log,
  workloads,
  at = config,
  around,
}: ListenOptions): Promise<ListeningServer> {
  const api = await createApi({
    engine,
    apiKey: config.apiKey,
    site: { loopbackOnly: config.apiKey === undefined && !config.allowAnonymous, corsOrigins: config.corsOrigins },
    trustedProxies: config.trustedProxies,
    settings: () => shownSettings(config),
    version: VERSION,
    log,
    pages: dashboardPages({
      basePath: "",
      hasKeys: true,
      version: VERSION,
      ...(config.environmentName !== undefined && {
        environment: { name: config.environmentName, colour: config.environmentColour },
      }),
    }),
    keepsHistory: true,
    workloads: servedBy(workloads, config),
  });
  const addresses = new ClientAddresses(config.trustedProxies);
  if (config.apiKey !== undefined && isGuessable(config.apiKey))
    log.warn("API_KEY is short", { least: LEAST_KEY_CHARS });
  const server = await serve({
    hostname: at.host,
    port: at.port,
    fetch: around === undefined ? api.fetch : around(api.fetch),
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

export function notListening(error: unknown, { host, port }: Pick<Config, "host" | "port">): AppError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return new AppError(
      "port-taken",
      `port ${port} on ${host} is taken. Use another one: --port or PORT; 0 takes any.`,
    );
  }
  return new AppError("not-listening", `could not listen on ${host}:${port}: ${messageOf(error)}`, { cause: error });
}
