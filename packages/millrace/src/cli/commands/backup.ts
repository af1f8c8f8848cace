import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { backupFile, filesOf } from "../../store/sqlite/connection/examine.ts";
import { createLog } from "../../telemetry/log/log.ts";
import { defineCommand } from "../arguments/command.ts";
import { PLACE } from "../arguments/flags.ts";
import { openEngine } from "../engine.ts";
import { loadConfigOrComplain } from "../load.ts";
import { bytes } from "../output/format.ts";
import { tell } from "../output/show.ts";

export const command = defineCommand({
  args: ["<file>"],
  flags: {
    db: PLACE.db,
    json: { type: "boolean", doc: "print the result as JSON" },
  },
  about:
    "Writes one consistent snapshot. It reads the store directly and works while a server runs.\nIt never overwrites an existing file.",
  examples: ["backup ./backup/jobs-2026-11-15.db"],
  async run({ args: [file = ""], flags }) {
    const config = loadConfigOrComplain({ listens: false, flags: { db: flags.db } });
    mkdirSync(dirname(resolve(file)), { recursive: true });
    const files = await copied(config, resolve(file));
    const copies = files.map((path) => ({ path, bytes: statSync(path).size }));
    return tell(flags, { files: copies }, copies.map((copy) => `${copy.path}  ${bytes(copy.bytes)}`).join("\n"));
  },
});

async function copied(config: Config, target: string): Promise<string[]> {
  if (config.databaseUrl === undefined) return backupFile(config.jobDbPath, target);
  const log = createLog({ level: "silent", format: "json" });
  const engine = await openEngine(config, { log, kinds: [], work: false, timers: false });
  try {
    await engine.backup(target);
  } finally {
    await engine.stop({ graceMs: 0 });
  }
  return filesOf(target);
}
