// One version of the code: a server on a port of its own, behind the supervisor's. It ends when the supervisor says so, or dies.

import { createLog, type Log } from "../../telemetry/log/log.ts";
import { UsageError } from "../arguments/command.ts";
import { complain, EXIT } from "../arguments/exit.ts";
import { servedOf } from "../arguments/only.ts";
import { loadConfigOrComplain } from "../load.ts";
import { listen } from "../serve/listen.ts";
import { start } from "../until-stopped.ts";
import { allWorkloads } from "../workloads.ts";
import type { Order, ReadyMessage } from "./worker.ts";

const ROUTINE = new Set(["pool started", "claimed", "health", "stopping", "drain", "stopped"]);

// Without its supervisor it must not stay behind: it stops as at Ctrl-C, and at the latest when a stop takes too long.
process.on("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.exit(EXIT.failed), 30_000).unref();
});

process.exit(await work(JSON.parse(process.argv[2] ?? "{}")).catch(failed));

async function work({ load, only, graceMs, ...flags }: Order): Promise<number> {
  const loaded = await allWorkloads(load);
  const settings = loadConfigOrComplain({ listens: true, workloads: loaded, flags });
  // The label of DEPLOYMENT is not used: two versions of the code run side by side for a moment, and a label stands for
  // one.
  const config = { ...settings, shutdownGraceMs: graceMs, deployment: undefined };
  const { workloads, kinds } = await servedOf(loaded, config, only);
  const log = withoutRoutine(createLog({ level: config.logLevel, format: config.logFormat, stacks: true }));
  const { engine, untilStopped } = await start(config, { log, kinds, workloads, work: true });
  const server = await listen({
    config,
    engine,
    log,
    workloads,
    at: { host: "127.0.0.1", port: 0 },
    // One request for each connection, so that no request reaches this worker once the supervisor has switched to the next.
    around: (fetch) => async (request, caller) => {
      const response = await fetch(request, caller);
      response.headers.set("connection", "close");
      return response;
    },
  });
  const ready: ReadyMessage = { port: server.port, kinds: kinds.map(({ name }) => name) };
  process.send?.(ready);
  return untilStopped(server);
}

/** A log without the lines of every start and stop, which would bury the lines about jobs. */
function withoutRoutine(log: Log): Log {
  const { info: write } = log;
  const info: Log["info"] = (event, fields) => {
    if (!ROUTINE.has(event)) write(event, fields);
  };
  return { ...log, info, child: (fields) => withoutRoutine(log.child(fields)) };
}

function failed(error: unknown): number {
  if (!(error instanceof UsageError)) return complain(error, false);
  process.stderr.write(`millrace: ${error.message.trimEnd()}\n`);
  return EXIT.wrongUse;
}
