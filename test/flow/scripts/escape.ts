// Runs a confined processor that tries to get out, and prints what it reached beside what is claimed. Arguments: a folder of its
// own, and "spin" for a processor that never ends.

import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import {
  confinement,
  defineKind,
  describeConfinement,
  Millrace,
  moduleOf,
  sqlite,
} from "../../../packages/millrace/src/index.ts";
import type * as module from "../modules/escape.ts";
import type { Plan } from "../modules/escape-thread.ts";

const [folder = "", wanted] = process.argv.slice(2);
const secret = process.env["SECRET"] ?? "";
process.chdir(folder);
const NAMES = "grow overwrite truncate delete rename chmod times link program mmap ffi".split(" ");
for (const name of NAMES) writeFileSync(`${folder}/${name}`, "original");
writeFileSync(`${folder}/.env`, `KEY=${secret}`);

const kind = defineKind({
  name: "escape",
  payload: z.custom<module.Order>(),
  isolation: "process",
  module: moduleOf<typeof module>(new URL("../modules/escape.ts", import.meta.url)),
  confined: true,
  memoryMb: 600,
  timeoutMs: 60_000,
  maxAttempts: 1,
});
const database = `${folder}/jobs.db`;
const logged: unknown[] = [];
const keep = (event: string, fields?: object) => void logged.push({ event, ...fields });
const log = { debug: () => {}, info: keep, warn: keep, error: keep };
const servers = { tcp: createServer(), abstract: createServer(), here: createServer(), there: createServer() };
const there = `/var/tmp/millrace-escape-${process.pid}.sock`;
const abstract = `millrace-escape-${process.pid}`;
servers.tcp.listen(0, "127.0.0.1");
servers.abstract.listen(`\0${abstract}`);
servers.here.listen(`${folder}/here.sock`);
servers.there.listen(there);
const [udp, dns] = [createSocket("udp4"), createSocket("udp4")];
udp.bind(0, "127.0.0.1");
dns.bind(0, "127.0.0.1");
const heard = { UDP: 0, DNS: 0 };
udp.on("message", () => heard.UDP++);
dns.on("message", () => heard.DNS++);
await Promise.all([...Object.values(servers), udp, dns].map((each) => once(each, "listening")));
const millrace = await Millrace.open({ store: sqlite(database), kinds: [kind], log: log as never });

if (wanted === "spin") {
  const job = await millrace.submit(kind, "spin");
  while ((await millrace.find(job.id))?.state !== "running") await pause(20);
  console.log("spins");
} else {
  console.log(JSON.stringify(await escapes()));
  process.exit(0);
}

async function escapes() {
  const victims = [1, 2, 3].map(() => spawn("/bin/sleep", ["600"], { stdio: "ignore" }));
  const plan: Plan = {
    folder,
    database,
    tcpPort: (servers.tcp.address() as { port: number }).port,
    udpPort: udp.address().port,
    dnsPort: dns.address().port,
    sockets: [`${folder}/here.sock`, there],
    abstract,
    victims: victims.map(({ pid }) => pid as number),
    parent: process.pid,
    secret,
  };
  const job = await millrace.submit(kind, plan);
  const tried = (await job.wait({ timeoutMs: 60_000 })).map((each) =>
    each.open === "ask" ? { ...each, open: heard[each.name as keyof typeof heard] > 0 } : each,
  );
  const filled = await millrace.submit(kind, "fill");
  await filled.wait({ timeoutMs: 60_000 }).catch(() => {});
  const [fill] = await millrace.attempts(filled.id);
  const alive = victims.map(({ signalCode }) => signalCode === null);
  for (const victim of victims) victim.kill("SIGKILL");
  for (const path of [there, `/tmp/millrace-escape-${process.pid}`, `/dev/shm/millrace-escape-${process.pid}`])
    rmSync(path, { force: true });
  const held = confinement();
  return { held, words: describeConfinement(held), tried, alive, logged, fill: fill?.failure?.code };
}
