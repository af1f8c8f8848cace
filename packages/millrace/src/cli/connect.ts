import { existsSync } from "node:fs";
import { type Client, createClient } from "../client/index.ts";
import type { Config } from "../config.ts";
import { UsageError } from "./arguments/command.ts";
import type { FileOptions } from "./file-api.ts";
import { loadConfigOrComplain } from "./load.ts";

/** The flags that say which server or file a command works on. */
export interface RemoteFlags {
  /** The address of the server. Default: `MILLRACE_URL`, else `http://HOST:PORT`. */
  readonly url?: string;
  /** The key to send. Default: `API_KEY`. */
  readonly "api-key"?: string;
  /** The tenant to act for. Default: `MILLRACE_TENANT`, else that of the key. */
  readonly tenant?: string;
  /** A SQLite file to work on without a server. Default: none. */
  readonly db?: string;
}

/** Calls `use` with a client of the server that the flags or settings name; with `--db`, of the store itself. */
export async function withClient<T>(
  flags: RemoteFlags,
  use: (client: Client) => Promise<T>,
  options: FileOptions = {},
): Promise<T> {
  const config = loadConfigOrComplain({ listens: false, flags: { db: flags.db } });
  if (flags.db !== undefined && flags.url !== undefined) throw new UsageError("Give either --db or --url, not both.");
  if (flags.url !== undefined && !/^https?:\/\/[^/]/.test(flags.url))
    throw new UsageError(`--url is "${flags.url}". Allowed: an address like http://127.0.0.1:3000.`);
  if (flags.db !== undefined) return withFile(config, flags, use, options);
  return use(
    createClient({
      baseUrl: flags.url ?? config.serverUrl ?? localUrl(config),
      apiKey: flags["api-key"] ?? config.apiKey,
      tenant: flags.tenant ?? config.tenant,
    }),
  );
}

/**
 * Calls `use` with the whole API on the store of the config, in this process and without a port: every command works
 * without a server.
 */
export async function withFile<T>(
  config: Config,
  flags: { readonly tenant?: string; readonly makeFile?: boolean },
  use: (client: Client) => Promise<T>,
  options: FileOptions = {},
): Promise<T> {
  const path = config.databaseUrl === undefined ? config.jobDbPath : undefined;
  if (path !== undefined && !flags.makeFile && !existsSync(path)) throw new UsageError(`There is no file ${path}.`);
  // This is imported on demand, because a client of a server does not need it.
  const { openFile } = await import("./file-api.ts");
  const { fetch, close } = await openFile(config, options);
  try {
    return await use(createClient({ baseUrl: FILE_URL, fetch, tenant: flags.tenant ?? config.tenant }));
  } finally {
    await close();
  }
}

const FILE_URL = "http://127.0.0.1";

/** The address where a server with this config listens, as seen from this machine. */
export function localUrl({ host, port }: Config): string {
  if (port === 0) throw new UsageError("PORT is 0, so the address of the server is unknown. Give it with --url.");
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
