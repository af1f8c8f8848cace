import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { newIdSecret } from "../../lib/public-id.ts";
import type { InstanceOptions, TestData } from "../contract/rig.ts";
import { artifactsPath, closeDatabase, openDatabase } from "./connection/database.ts";
import { inspect } from "./connection/inspect.ts";
import { WriteTurn } from "./connection/write-turn.ts";
import { SqliteStore } from "./store.ts";

const REWRITE = `UPDATE stage SET next = CASE WHEN ? IS NULL THEN NULL ELSE (SELECT id FROM stage AS following WHERE following.name = ?
  AND following.kind = stage.kind ORDER BY id DESC LIMIT 1) END WHERE name = ? AND kind = (SELECT id FROM kind WHERE name = ?)`;

/** For tests: a file in a folder of its own, opened without a thread so that time can be moved by hand. */
export async function openTemporarySqlite(): Promise<TestData> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  const path = join(folder, "jobs.db");
  copyEmptyFile(path);
  let instances = 0;
  const open = async (file: string, { clock, random, leaseMs, limits, events }: InstanceOptions) => {
    const inline = { clock, random };
    // What fsync promises is tested with real processes; here it would only cost time.
    const store = new SqliteStore({
      path: file,
      durability: "normal",
      leaseMs,
      limits,
      inline,
      instanceName: `i${++instances}`,
    });
    await store.open(events);
    return store;
  };
  return {
    open: (options) => open(path, options),
    backup: () => {
      const copy = join(folder, "copy.db");
      return { path: copy, open: (options) => open(copy, options) };
    },
    raiseNeeds: async (kind) => {
      const db = new DatabaseSync(path);
      db.prepare("UPDATE plan SET needs = 99 WHERE kind = (SELECT id FROM kind WHERE name = ?)").run(kind);
      db.close();
    },
    rewriteLinks: async (kind, stages) => {
      const db = new DatabaseSync(path);
      for (const [i, name] of stages.entries()) {
        const next = stages[i + 1] ?? null;
        db.prepare(REWRITE).run(next, next, name, kind);
      }
      db.exec("UPDATE meta SET value = value + 1 WHERE name = 'plans_version'");
      db.close();
    },
    forgetRegisteredPlans: async () => {
      const db = new DatabaseSync(path);
      db.exec("UPDATE instance SET plans = NULL");
      db.close();
    },
    forgetCauses: async (cause) => {
      const db = new DatabaseSync(path);
      db.prepare("UPDATE job SET cause = ?").run(cause ?? null);
      db.close();
    },
    plans: async (kind) => {
      const db = new DatabaseSync(path);
      const rows = db.prepare("SELECT stages FROM plan WHERE kind = (SELECT id FROM kind WHERE name = ?)").all(kind);
      db.close();
      return rows.map(({ stages }) => JSON.parse(String(stages)) as string[]);
    },
    inspect: async () => inspect(path),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

let emptyFile: string | undefined;

/** Running all migrations takes several times as long as copying their result. Each copy gets a secret for ids of its own. */
function copyEmptyFile(path: string): void {
  emptyFile ??= makeEmptyFile();
  for (const file of [(name: string) => name, artifactsPath]) copyFileSync(file(emptyFile), file(path));
  const db = new DatabaseSync(path);
  db.prepare("UPDATE meta SET value = ? WHERE name = 'id_secret'").run(newIdSecret());
  db.close();
}

function makeEmptyFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "millrace-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "jobs.db");
  closeDatabase(openDatabase({ path, durability: "normal" }, new WriteTurn()));
  return path;
}
