// A Redis of a case's own where one is installed, for BullMQ. With its log flushed once a second, as most run it: a power cut may
// take the last second. Or at every write: then an answered submission is on the disk, as with PostgreSQL.

import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Figures } from "../harness.ts";
import { freePort } from "../http/servers.ts";

export const hasRedis: boolean = spawnSync("redis-server", ["--version"], { stdio: "ignore" }).status === 0;

const TRIES = 100;

export async function withRedis(
  dir: string,
  flush: "everysec" | "always",
  work: () => Promise<Figures>,
): Promise<Figures> {
  const port = await freePort();
  const settings = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--appendfsync", flush];
  const server = spawn("redis-server", ["--port", String(port), "--dir", dir, ...settings], { stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = `redis://127.0.0.1:${port}`;
  try {
    await answering(port);
    writeFileSync(join(dir, "url"), url);
    return await work();
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
}

async function answering(port: number): Promise<void> {
  for (let i = 0; i < TRIES; i++) {
    if (await connects(port)) return;
    await pause(50);
  }
  throw new Error("Redis did not answer");
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}
