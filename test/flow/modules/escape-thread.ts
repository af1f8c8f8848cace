import { spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import fs from "node:fs";
import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { Confinement } from "../../../packages/millrace/src/index.ts";

/** What there is to reach. */
export interface Plan {
  folder: string;
  database: string;
  tcpPort: number;
  udpPort: number;
  dnsPort: number;
  sockets: string[];
  abstract: string;
  victims: number[];
  parent: number;
  secret: string;
}

export interface Tried {
  part: keyof Confinement;
  name: string;
  /** Whether it was done. Whether datagrams arrive is known to the one they are sent to. */
  open: boolean | "ask";
  why: string;
}

const plan = workerData as Plan;
const tried: Tried[] = [];

type Try = () => unknown;

async function attempt(part: keyof Confinement, name: string, act: Try): Promise<void> {
  try {
    const done = await act();
    tried.push({ part, name, open: done === "ask" ? "ask" : done !== false, why: String(done).slice(0, 200) });
  } catch (error) {
    tried.push({ part, name, open: false, why: String(error).replaceAll("\0", "").slice(0, 200) });
  }
}

const file = (name: string) => `${plan.folder}/${name}`;
const sh = (script: string) => spawnSync("/bin/sh", ["-c", script]).status === 0;

function overwrite(path: string): void {
  const fd = fs.openSync(path, "r+");
  fs.writeSync(fd, "X", 0);
  fs.closeSync(fd);
}

const WRITES: Record<string, Try> = {
  grow: () => fs.appendFileSync(file("grow"), "more"),
  overwrite: () => overwrite(file("overwrite")),
  truncate: () => fs.truncateSync(file("truncate")),
  delete: () => fs.unlinkSync(file("delete")),
  rename: () => fs.renameSync(file("rename"), file("renamed")),
  chmod: () => fs.chmodSync(file("chmod"), 0o777),
  times: () => fs.utimesSync(file("times"), 1, 1),
  create: () => fs.closeSync(fs.openSync(file("created"), "w")),
  "create in /tmp": () => fs.closeSync(fs.openSync(`/tmp/millrace-escape-${plan.parent}`, "w")),
  "create in /dev/shm": () => fs.closeSync(fs.openSync(`/dev/shm/millrace-escape-${plan.parent}`, "w")),
  "make a folder": () => fs.mkdirSync(file("made")),
  link: () => fs.linkSync(file("link"), file("linked")),
  symlink: () => fs.symlinkSync(file("link"), file("symlinked")),
  "delete by a program": () => sh(`rm '${file("program")}'`),
};

for (const [name, act] of Object.entries(WRITES)) await attempt("writes", name, act);
await attempt("programs", "start", () => sh("exit 0"));
await attempt("signals", "kill", () => process.kill(plan.victims[0] as number, "SIGKILL"));
await attempt("signals", "signal the parent", () => process.kill(plan.parent, 0));
await attempt("signals", "kill by a program", () => sh(`kill -9 ${plan.victims[1]}`));
await attempt(
  "store",
  "read the database",
  () => fs.readFileSync(plan.database).subarray(0, 6).toString() === "SQLite",
);
await attempt("store", "read its log", () => fs.readFileSync(`${plan.database}-wal`).length > 0);
await attempt("store", "read it by /proc", () => {
  return fs.readFileSync(`/proc/${plan.parent}/root${plan.database}`).subarray(0, 6).toString() === "SQLite";
});
await attempt("store", "read .env", () => fs.readFileSync(file(".env"), "utf8").includes(plan.secret));
await attempt("processes", "read the parent's environment", () =>
  fs.readFileSync(`/proc/${plan.parent}/environ`, "utf8").includes(plan.secret),
);
await attempt("network", "TCP", () => connected({ host: "127.0.0.1", port: plan.tcpPort }));
await attempt("network", "abstract socket", () => connected({ path: `\0${plan.abstract}` }));
for (const path of plan.sockets) await attempt("sockets", path.replace(/\d+/g, "n"), () => connected({ path }));
await attempt("network", "UDP", () => datagram());
await attempt("network", "DNS", async () => {
  const resolver = new Resolver({ timeout: 300, tries: 1 });
  resolver.setServers([`127.0.0.1:${plan.dnsPort}`]);
  await resolver.resolve4("example.com").catch(() => {});
  return "ask";
});
if (process.versions["bun"]) await ofBun();
// What a mount hides can be seen again by whoever may unmount.
await attempt("sockets", "unmount", () => sh("umount /run || umount /tmp || unshare -r -m umount /run"));
parentPort?.postMessage(tried);

async function ofBun(): Promise<void> {
  interface Bun {
    mmap(path: string): Uint8Array;
    $(parts: TemplateStringsArray): { nothrow(): { quiet(): Promise<{ exitCode: number }> } };
  }
  const { Bun } = globalThis as unknown as { Bun: Bun };
  await attempt("writes", "overwrite by mmap", () => {
    Bun.mmap(file("mmap"))[0] = 88;
  });
  await attempt("programs", "start by Bun.$", async () => (await Bun.$`/bin/true`.nothrow().quiet()).exitCode === 0);
  const ffi = "bun:ffi";
  const { dlopen } = (await import(ffi)) as { dlopen: (file: string, symbols: object) => { symbols: Symbols } };
  const path = { args: ["cstring"], returns: "int" };
  const kill = { args: ["int", "int"], returns: "int" };
  const { symbols } = dlopen("libc.so.6", { unlink: path, kill });
  await attempt("writes", "delete by ffi", () => symbols.unlink(Buffer.from(`${file("ffi")}\0`)) === 0);
  await attempt("signals", "kill by ffi", () => symbols.kill(plan.victims[2] as number, 9) === 0);
}

interface Symbols {
  unlink(path: Buffer): number;
  kill(pid: number, signal: number): number;
}

function connected(to: { path: string } | { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(to);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", reject);
  });
}

function datagram(): Promise<"ask"> {
  return new Promise((resolve, reject) => {
    const socket = createSocket("udp4");
    socket.once("error", reject);
    socket.send("x", plan.udpPort, "127.0.0.1", (error) => {
      socket.close();
      if (error) reject(error);
      else resolve("ask");
    });
  });
}
