import { type Client, createClient } from "../client/index.ts";
import type { Config } from "../config.ts";
import { UsageError } from "./command.ts";
import { loadConfigOrComplain } from "./load.ts";

export interface RemoteFlags {
  readonly url?: string;
  readonly "api-key"?: string;
  readonly tenant?: string;
}

/** The client of the server that flags or settings name. */
export function connect(flags: RemoteFlags): Client {
  const config = loadConfigOrComplain({ listens: false });
  return createClient({
    baseUrl: flags.url ?? config.serverUrl ?? localUrl(config),
    apiKey: flags["api-key"] ?? config.apiKey,
    tenant: flags.tenant ?? config.tenant,
  });
}

/** Where a server with this config listens, as seen from this machine. */
export function localUrl({ host, port }: Config): string {
  if (port === 0) throw new UsageError("PORT is 0, so the server's address is not known. Give it with --url.");
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
