// PgBouncer of the system (Debian: `pgbouncer`), for tests with TEST_SYSTEM=1. It refuses to run as root, as PostgreSQL does.

import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asOther, freePort, isRoot, NOBODY } from "./postgres-server.ts";
import { scaled } from "./slowness.ts";
import { systemProgram } from "./system.ts";

/** By transaction few sessions for many: nothing that is kept on one can be relied on. */
const SESSIONS = { transaction: 4, session: 100 };
const START_MS = 10_000;

export async function startPooler(
  url: string,
  mode: keyof typeof SESSIONS,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { hostname, port, username, password } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "millrace-pooler-"));
  const ownPort = await freePort();
  const login = `user=${username}${password === "" ? "" : ` password=${decodeURIComponent(password)}`}`;
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${port || 5432} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${SESSIONS[mode]}
max_client_conn = 200
`,
  );
  if (isRoot()) for (const path of [folder, settings]) chownSync(path, NOBODY, NOBODY);
  const child = spawn(...asOther(systemProgram("pgbouncer") ?? "pgbouncer", [settings]), {
    stdio: ["ignore", "ignore", "pipe"],
    cwd: "/",
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`PgBouncer did not start: ${said}`)), scaled(START_MS));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4_000);
      if (!/process up/.test(said)) return;
      clearTimeout(late);
      resolve();
    });
    void ended.then(() => reject(new Error(`PgBouncer ended: ${said}`)));
  });
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${ownPort}`;
  pooled.searchParams.set("pooler", mode);
  return {
    url: pooled.href,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
