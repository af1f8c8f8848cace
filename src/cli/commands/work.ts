import type { Kind } from "../../index.ts";
import { createLog } from "../../telemetry/log.ts";
import { defineCommand, UsageError } from "../command.ts";
import { dataPlace, poolProblems } from "../engine.ts";
import { allKinds } from "../kinds-file.ts";
import { loadConfigOrComplain, SettingsError } from "../load.ts";
import { runtimeName, start } from "../until-stopped.ts";

export const command = defineCommand({
  flags: {
    load: { type: "string", multiple: true, value: "<file>", doc: "also work on the kinds that this module exports" },
    kinds: { type: "string", value: "<a,b>", doc: "only these" },
  },
  about:
    "It takes jobs from the same file as a server on this machine, or from the same PostgreSQL as others anywhere.",
  examples: ["work", "work --load ./my-kinds.ts --kinds thumbnail,report"],
  async run({ flags }) {
    const config = loadConfigOrComplain({ listens: false });
    const known = await allKinds(config, flags.load ?? []);
    const misnamed = poolProblems(config, known);
    if (misnamed.length > 0) throw new SettingsError(misnamed);
    const kinds = chosen(known, flags.kinds);
    const log = createLog({ level: config.logLevel, format: config.logFormat });
    const { untilStopped } = await start(config, { log, kinds, work: true });
    const names = kinds.map(({ name }) => name);
    process.stderr.write(`\n  Millrace works on   ${names.join(", ")}\n  Its data is in      ${dataPlace(config)}\n\n`);
    log.info("work started", { kinds: names, runtime: runtimeName() });
    return untilStopped();
  },
});

function chosen(known: readonly Kind[], list: string | undefined): readonly Kind[] {
  if (list === undefined) return known;
  const names = list.split(",").map((name) => name.trim());
  const missing = names.find((name) => !known.some((kind) => kind.name === name));
  if (missing !== undefined) {
    throw new UsageError(`There is no kind "${missing}". Known: ${known.map(({ name }) => name).join(", ")}.`);
  }
  return known.filter(({ name }) => names.includes(name));
}
