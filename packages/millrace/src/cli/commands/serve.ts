import { createLog } from "../../telemetry/log/log.ts";
import { defineCommand } from "../arguments/command.ts";
import { LOAD, ONLY, PLACE } from "../arguments/flags.ts";
import { servedOf } from "../arguments/only.ts";
import { loadConfigOrComplain } from "../load.ts";
import { greeting } from "../serve/greeting.ts";
import { listen, notListening } from "../serve/listen.ts";
import { runtimeName, start } from "../until-stopped.ts";
import { allWorkloads } from "../workloads.ts";

export const command = defineCommand({
  flags: {
    ...LOAD,
    ...PLACE,
    ...ONLY,
    "no-pools": { type: "boolean", doc: "accept jobs and answer requests, but run no jobs; see millrace work" },
  },
  about: "Serves the HTTP API and the dashboard, and runs the jobs.",
  examples: ["serve", "serve --port 8080 --db ./jobs.db --load ./kinds.ts --only report,mail", "serve --no-pools"],
  async run({ flags }) {
    const loaded = await allWorkloads(flags.load);
    const config = loadConfigOrComplain({ listens: true, workloads: loaded, flags });
    const { workloads, kinds } = await servedOf(loaded, config, flags.only);
    const log = createLog({ level: config.logLevel, format: config.logFormat });
    const { engine, untilStopped } = await start(config, { log, kinds, workloads, work: !flags["no-pools"] });
    const server = await listen({ config, engine, log, workloads }).catch(async (error) => {
      await engine.stop({ graceMs: 0 });
      throw notListening(error, config);
    });
    // The greeting is for people, so it goes to standard error: standard output has only log lines, which programs
    // read.
    process.stderr.write(await greeting(server, config, kinds));
    log.info("server started", { host: server.hostname, port: server.port, runtime: runtimeName() });
    return untilStopped(server);
  },
});
