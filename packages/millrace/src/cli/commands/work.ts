import { createLog } from "../../telemetry/log/log.ts";
import { defineCommand } from "../arguments/command.ts";
import { LOAD, ONLY, PLACE } from "../arguments/flags.ts";
import { servedOf } from "../arguments/only.ts";
import { dataLocation } from "../engine.ts";
import { loadConfigOrComplain } from "../load.ts";
import { runtimeName, start } from "../until-stopped.ts";
import { allWorkloads } from "../workloads.ts";

export const command = defineCommand({
  flags: {
    ...LOAD,
    db: PLACE.db,
    ...ONLY,
    kinds: { type: "string", value: "<a,b>", doc: "the same as --only" },
  },
  about:
    "A worker without HTTP. It takes jobs from the same file as a server on this machine,\nor from the same PostgreSQL database as processes on other machines.",
  examples: ["work", "work --load ./kinds.ts --only thumbnail,report"],
  async run({ flags }) {
    const loaded = await allWorkloads(flags.load);
    const config = loadConfigOrComplain({ listens: false, workloads: loaded, flags });
    const only = [...(flags.only ?? []), ...(flags.kinds === undefined ? [] : [flags.kinds])];
    const { workloads, kinds } = await servedOf(loaded, config, only.length > 0 ? only : undefined);
    const log = createLog({ level: config.logLevel, format: config.logFormat });
    const { untilStopped } = await start(config, { log, kinds, workloads, work: true });
    const names = kinds.map(({ name }) => name);
    process.stderr.write(
      `\n  Millrace works on   ${names.join(", ")}\n  Its data is in      ${dataLocation(config)}\n\n`,
    );
    log.info("work started", { kinds: names, runtime: runtimeName() });
    return untilStopped();
  },
});
