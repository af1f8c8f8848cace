// Each contender as a server in a process of its own, with the request that submits one job to it.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { BENCH_DIR } from "../harness.ts";

export type HttpWho = "bare Hono route" | "millrace warn" | "millrace info" | "bunqueue" | "bunqueue durable";

export interface HttpServer {
  url: string;
  path: string;
  body: string;
  stop(): Promise<void>;
}

const PAYLOAD = { text: "hello" };
const JOB = JSON.stringify({ kind: "text", payload: PAYLOAD, tags: ["bench"] });

export async function startServer(who: HttpWho, dir: string): Promise<HttpServer> {
  switch (who) {
    case "bare Hono route":
      return { ...(await start([join(BENCH_DIR, "http/bare.ts")], {}, dir)), path: "/jobs", body: JOB };
    case "millrace warn":
    case "millrace info": {
      // As `millrace serve` runs, FULL durability and all; log lines go to a file. The `text` jobs take seconds, so nearly
      // all of them wait.
      const env = { PORT: "0", QUEUE_MAX: "0", JOB_DB_PATH: join(dir, "jobs.db"), LOG_LEVEL: who.split(" ")[1] ?? "" };
      return { ...(await start([join(BENCH_DIR, "../src/cli/main.ts"), "serve"], env, dir)), path: "/jobs", body: JOB };
    }
    case "bunqueue":
    case "bunqueue durable": {
      const [http, tcp] = [await freePort(), await freePort()];
      const env = {
        HTTP_PORT: String(http),
        TCP_PORT: String(tcp),
        HOST: "127.0.0.1",
        // It allows 10,000 a minute from one address unless told otherwise.
        RATE_LIMIT_MAX_REQUESTS: "1000000000",
        DATA_PATH: join(dir, "bunqueue.db"),
      };
      const module = join(BENCH_DIR, "node_modules/bunqueue/dist/cli/index.js");
      const server = await start([module, "start"], env, dir, `http://127.0.0.1:${http}`);
      const body = JSON.stringify({ data: PAYLOAD, ...(who === "bunqueue durable" && { durable: true }) });
      return { ...server, path: "/queues/text/jobs", body };
    }
  }
}

async function start(args: string[], env: Record<string, string>, dir: string, url?: string) {
  const out = openSync(join(dir, "stdout.log"), "w");
  const flags = process.versions["bun"] ? ["--no-env-file", "--no-install"] : [];
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: dir,
    env: { PATH, HOME, ...env },
    stdio: ["ignore", out, "pipe"],
  });
  closeSync(out);
  const stop = () => ended(child);
  try {
    return { url: url === undefined ? await said(child) : await answering(child, url), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function said(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stderr?.on("data", (data) => {
      text += data;
      const [, url] = /listens on (http:\S+)/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once("exit", () => reject(new Error(`it ended: ${text.slice(-500)}`)));
  });
}

async function answering(child: ChildProcess, url: string): Promise<string> {
  child.stderr?.resume();
  while (child.exitCode === null) {
    const ok = await fetch(`${url}/health`).then(
      () => true,
      () => false,
    );
    if (ok) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it ended before it answered");
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
