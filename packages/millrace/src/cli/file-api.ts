import type { Fetch } from "../client/index.ts";
import { shownSettings } from "../config/print.ts";
import type { Config } from "../config.ts";
import { createApi } from "../http/server.ts";
import { defineKind, type Kind } from "../index.ts";
import { VERSION } from "../lib/runtime/version.ts";
import { createLog, type Log } from "../telemetry/log/log.ts";
import { servedBy } from "../workload/compose.ts";
import { openEngine } from "./engine.ts";
import { loadConfigOrComplain } from "./load.ts";
import { projectWorkloads } from "./workloads.ts";

/** Options of `withClient()`. */
export interface FileOptions {
  /** True: the command submits jobs, so the kinds in the store are registered first. Default: false. */
  readonly submits?: boolean;
}

/** The API on a file, or on PostgreSQL, called directly. A user who can write to the store is its administrator. */
export async function openFile(
  config: Config,
  { submits = false }: FileOptions = {},
): Promise<{ fetch: Fetch; close(): Promise<void> }> {
  const log = createLog({ level: "silent", format: "json" });
  const kinds = submits ? await knownKinds(config, log) : [];
  const engine = await openEngine(config, { log, kinds, work: false, timers: false });
  const workloads = await projectWorkloads();
  const { ofWorkloads } = loadConfigOrComplain({ listens: false, workloads });
  const api = await createApi({
    engine,
    apiKey: undefined,
    site: { loopbackOnly: true, corsOrigins: [] },
    settings: () => shownSettings(config),
    version: VERSION,
    log,
    workloads: servedBy(workloads, { ...config, ofWorkloads }),
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
async function knownKinds(config: Config, log: Log): Promise<Kind[]> {
  const engine = await openEngine(config, { log, kinds: [], work: false, timers: false });
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

/** The request with the header that it has once it was sent over a connection. */
function asReceived(url: string, init: RequestInit): Request {
  const request = new Request(url, init);
  if (typeof init.body === "string") request.headers.set("content-length", String(Buffer.byteLength(init.body)));
  return request;
}
