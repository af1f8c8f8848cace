import { resolve, sep } from "node:path";
import { loadConfig, readEnvironment } from "../../config.ts";
import { defineCommand, UsageError } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit.ts";
import { duration, LOAD, ONLY, PLACE } from "../arguments/flags.ts";
import { isInstalled } from "../dev/installed.ts";
import { DevLines } from "../dev/lines.ts";
import { PortRelay } from "../dev/relay.ts";
import { Supervisor } from "../dev/supervisor.ts";
import { dataLocation } from "../engine.ts";
import { loadConfigOrComplain } from "../load.ts";
import { addressOf } from "../serve/greeting.ts";
import { notListening } from "../serve/listen.ts";
import { onStopSignals } from "../signals.ts";
import { entryFiles } from "../workloads.ts";

const OWN_PACKAGE = resolve(import.meta.dirname, "..", "..", "..") + sep;

export const command = defineCommand({
  flags: {
    ...LOAD,
    ...PLACE,
    ...ONLY,
    grace: { type: "string", value: "<span>", doc: "time for running jobs to finish at a reload (default 2s)" },
  },
  about:
    "Serves like millrace serve, and reloads when a loaded file, a file that it imports, or .env changes.\n" +
    "Running jobs finish with the old code or, after the grace, run again with the new code.\n" +
    "The address answers during a reload. Code that does not start leaves the last version running.",
  examples: ["dev --load ./kinds.ts", "dev --load ./kinds.ts --port 8080 --db ./dev.db"],
  async run({ flags }) {
    const { load, only, port, host, db } = flags;
    const signals = onStopSignals();
    const graceMs = flags.grace === undefined ? 2_000 : duration("grace", flags.grace);
    const config = loadConfigOrComplain({ listens: true, flags });
    const entries = entryFiles(load).filter((file) => !isForeign(file));
    if (entries.length === 0) throw new UsageError("There is no file to watch. Name one, such as --load ./kinds.ts.");
    const relay = new PortRelay();
    const address = await relay.listen(config).catch((error) => {
      throw notListening(error, config);
    });
    const url = addressOf({ hostname: config.host, port: address.port });
    const lines = new DevLines({ url, data: dataLocation(config), entries });
    const order = { load, only, port, host, db, graceMs };
    const settingsChanged = () => {
      const now = loadConfig(readEnvironment());
      if (!now.ok) return;
      if (port === undefined && now.config.port !== config.port) lines.needsRestart("PORT");
      if (host === undefined && now.config.host !== config.host) lines.needsRestart("HOST");
    };
    const supervisor = new Supervisor({ order, entries, isForeign, relay, lines, settingsChanged });
    void supervisor.start();
    await signals.first;
    lines.stopping();
    void signals.second.then(() => supervisor.hurry());
    await Promise.all([relay.stop(), supervisor.stop()]);
    return EXIT.ok;
  },
});

/** Code that the user does not edit: installed packages, and Millrace itself. */
function isForeign(file: string): boolean {
  return isInstalled(file) || file.startsWith(OWN_PACKAGE);
}
