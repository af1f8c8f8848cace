import { existsSync } from "node:fs";
import { type Client, createClient } from "../client/index.ts";
import type { Config } from "../config.ts";
import { UsageError } from "./command.ts";
import type { FileOptions } from "./file-api.ts";
import { loadConfigOrComplain } from "./load.ts";

export interface RemoteFlags {
  readonly url?: string;
  readonly "api-key"?: string;
  readonly tenant?: string;
  readonly db?: string;
}

/** Lends the client of the server that flags or settings name; with `--db`, of the file itself. */
export async function withClient<T>(
  flags: RemoteFlags,
  use: (client: Client) => Promise<T>,
  options: FileOptions = {},
): Promise<T> {
  const config = loadConfigOrComplain({ listens: false });
  if (flags.db !== undefined && flags.url !== undefined) throw new UsageError("Give --db or --url, not both.");
  if (flags.db !== undefined) return withFile(config, flags, use, options);
  return use(
    createClient({
      baseUrl: flags.url ?? config.serverUrl ?? localUrl(config),
      apiKey: flags["api-key"] ?? config.apiKey,
      tenant: flags.tenant ?? config.tenant,
    }),
  );
}

/** The whole API on the file, in this process and without a port: every command works without a server. */
export async function withFile<T>(
  config: Config,
  flags: { readonly db?: string; readonly tenant?: string; readonly makeFile?: boolean },
  use: (client: Client) => Promise<T>,
  options: FileOptions = {},
): Promise<T> {
  const path = flags.db ?? (config.databaseUrl === undefined ? config.jobDbPath : undefined);
  if (path !== undefined && !flags.makeFile && !existsSync(path)) throw new UsageError(`There is no file ${path}.`);
  // On demand: a client of a server needs none of it.
  const { openFile } = await import("./file-api.ts");
  const { fetch, close } = await openFile(config, path, options);
  try {
    return await use(createClient({ baseUrl: FILE_URL, fetch, tenant: flags.tenant ?? config.tenant }));
  } finally {
    await close();
  }
}

const FILE_URL = "http://127.0.0.1";

/** Where a server with this config listens, as seen from this machine. */
export function localUrl({ host, port }: Config): string {
  if (port === 0) throw new UsageError("PORT is 0, so the server's address is not known. Give it with --url.");
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
