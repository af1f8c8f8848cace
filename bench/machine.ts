import { spawnSync } from "node:child_process";
import { arch, cpus, release, totalmem, type } from "node:os";
import { DatabaseSync } from "node:sqlite";

export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  kernel: string;
  runtime: string;
  sqlite: string;
  /** What was measured; empty outside a repository. */
  commit: string;
}

export function machine(): Machine {
  const [first] = cpus();
  const db = new DatabaseSync(":memory:");
  const { version } = db.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  db.close();
  return {
    cpu: `${first?.model.trim() ?? "unknown"} (${arch()})`,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release()}`,
    runtime: process.versions["bun"] ? `Bun ${process.versions["bun"]}` : `Node ${process.versions.node}`,
    sqlite: version,
    commit: spawnSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).stdout?.trim() ?? "",
  };
}
