import type { Config } from "../../config.ts";
import { createLog } from "../../telemetry/log/log.ts";
import { defineCommand } from "../arguments/command.ts";
import { EXIT } from "../arguments/exit.ts";
import { PLACE } from "../arguments/flags.ts";
import { openEngine } from "../engine.ts";
import { loadConfigOrComplain } from "../load.ts";
import { tell } from "../output/show.ts";

export const command = defineCommand({
  flags: {
    db: PLACE.db,
    check: { type: "boolean", doc: "change nothing; exit code 3 if the store needs a migration" },
    json: { type: "boolean", doc: "print the result as JSON" },
  },
  about:
    "Creates the store's schema, or brings it to that of this version. Every process does so when it starts;\n" +
    "this command does it earlier, in a pipeline. Other processes keep running. Run twice, it changes nothing.",
  examples: ["migrate", "migrate --db postgres://me@db.internal/jobs", "migrate --check"],
  async run({ flags }) {
    const config = loadConfigOrComplain({ listens: false, flags: { db: flags.db } });
    const { schema: from, known, shown } = await schemaOf(config);
    if (flags.check) {
      tell(flags, { from, to: from, known }, checked(shown, { from, known }));
      return from < known ? EXIT.pending : EXIT.ok;
    }
    // The store is opened even if there is nothing to do: one of a newer version that this one cannot use is refused
    // here.
    await open(config);
    const { schema: to } = await schemaOf(config);
    return tell(flags, { from, to, known }, migrated(shown, { from, to }));
  },
});

/** SQLite is loaded only if it is used, and so is the driver of PostgreSQL. */
async function schemaOf({ databaseUrl, jobDbPath }: Config): Promise<{ schema: number; known: number; shown: string }> {
  if (databaseUrl === undefined)
    return (await import("../../store/sqlite/connection/examine.ts")).fileSchema(jobDbPath);
  return (await import("../../store/postgres/connection/examine.ts")).databaseSchema(databaseUrl);
}

/** Opening a store migrates it, under a lock. */
async function open(config: Config): Promise<void> {
  const log = createLog({ level: "silent", format: "json" });
  const engine = await openEngine(config, { log, kinds: [], work: false, timers: false });
  await engine.stop({ graceMs: 0 });
}

function checked(store: string, { from, known }: { from: number; known: number }): string {
  if (from === 0) return `${store} has no schema yet. This version creates schema ${known}.`;
  if (from < known) return `${store} has schema ${from}. This version migrates it to schema ${known}.`;
  return `${store} has schema ${from} and needs no migration.`;
}

function migrated(store: string, { from, to }: { from: number; to: number }): string {
  if (from === 0) return `Created schema ${to} in ${store}.`;
  if (from < to) return `Migrated ${store} from schema ${from} to schema ${to}.`;
  return `${store} already has schema ${to}.`;
}
