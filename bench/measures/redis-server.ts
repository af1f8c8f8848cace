// A Redis of a case's own where one is installed, for BullMQ. With its log flushed once a second, as its users run it: a power cut
// may take the last second, where PostgreSQL has every answered submission on the disk.

import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import type { Figures } from "../harness.ts";

export const hasRedis: boolean = spawnSync("redis-server", ["--version"], { stdio: "ignore" }).status === 0;

const TRIES = 100;

export async function withRedis(dir: string, work: () => Promise<Figures>): Promise<Figures> {
  const port = String(await freePort());
  const settings = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--appendfsync", "everysec"];
  const server = spawn("redis-server", ["--port", port, "--dir", dir, ...settings], { stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = `redis://127.0.0.1:${port}`;
  try {
    await answering(url);
    writeFileSync(join(dir, "url"), url);
    return await work();
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
}

async function answering(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  client.on("error", () => {});
  try {
    for (let i = 0; i < TRIES; i++) {
      if (await client.ping().catch(() => undefined)) return;
      await pause(50);
    }
    throw new Error("Redis did not answer");
  } finally {
    client.disconnect();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
