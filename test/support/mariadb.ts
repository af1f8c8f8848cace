// MariaDB of the system (Debian: `mariadb-server`), for tests with TEST_SYSTEM=1.

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./postgres-server.ts";
import { scaled } from "./slowness.ts";
import { systemProgram } from "./system.ts";

const execute = promisify(execFile);
const START_MS = 30_000;

/** A server of its own, with an empty database. */
export async function startMariadb(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-mariadb-"));
  const port = await freePort();
  const user = process.getuid?.() === 0 ? ["--user=root"] : [];
  const data = ["--no-defaults", `--datadir=${folder}`, ...user];
  await execute(systemProgram("mariadb-install-db") ?? "mariadb-install-db", [
    ...data,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
  ]);
  const child = spawn(
    systemProgram("mariadbd") ?? "mariadbd",
    [...data, `--port=${port}`, "--bind-address=127.0.0.1", `--socket=${join(folder, "socket")}`],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`MariaDB did not start: ${said}`)), scaled(START_MS));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4_000);
      if (!/ready for connections/.test(said)) return;
      clearTimeout(late);
      resolve();
    });
    void ended.then(() => reject(new Error(`MariaDB ended: ${said}`)));
  });
  return {
    url: `mysql://root@127.0.0.1:${port}/mysql`,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
