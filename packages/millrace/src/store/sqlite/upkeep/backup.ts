import { existsSync } from "node:fs";
import { backupExists } from "../../decide/refusals.ts";
import { artifactsPath, NOBODY_AT_WORK } from "../connection/database.ts";
import { DatabaseSync } from "../connection/driver.ts";
import { createPrivately } from "../connection/file-mode.ts";
import type { ReadView } from "../core.ts";

/** Outside a transaction. `VACUUM INTO` copies one snapshot while others go on writing. */
export function backup(core: Pick<ReadView, "db">, path: string): void {
  const targets = [path, artifactsPath(path)];
  for (const target of targets) {
    if (existsSync(target)) throw backupExists(target);
  }
  for (const target of targets) createPrivately(target);
  // Artifacts last: an artifact without its job is swept, a job without its artifact would be a loss.
  core.db.prepare("VACUUM main INTO ?").run(targets[0] as string);
  core.db.prepare("VACUUM artifacts INTO ?").run(targets[1] as string);
  const copy = new DatabaseSync(targets[0] as string);
  copy.exec(NOBODY_AT_WORK);
  copy.close();
}
