// Each contender as a server in a process of its own, with the request that submits one job to it.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { BENCH_DIR } from "../harness.ts";

export type HttpWho = "bare Hono route" | "millrace warn" | "millrace info" | "bunqueue" | "bunqueue durable";

export interface Started {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface HttpServer extends Started {
  path: string;
  body: string;
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

/** By the command that `npm start` is, on the runtime that is measured. */
export function startByLauncher(dir: string, args: string[] = []): Promise<Started> {
  const env = {
    PORT: "0",
    JOB_DB_PATH: join(dir, "jobs.db"),
    LOG_LEVEL: "warn",
    QUEUE_MAX: "0",
    MILLRACE_RUNTIME: process.versions["bun"] ? "bun" : "node",
  };
  const child = spawnIn(dir, "node", [join(BENCH_DIR, "../bin/millrace.js"), "serve", ...args], env);
  // An older Node stands in front of the server, and killed it could not pass that on.
  return listening(child, () => said(child), "SIGTERM");
}

function start(args: string[], env: Record<string, string>, dir: string, url?: string): Promise<Started> {
  const flags = process.versions["bun"] ? ["--no-env-file", "--no-install"] : [];
  const child = spawnIn(dir, process.execPath, [...flags, ...args], env);
  return listening(child, () => (url === undefined ? said(child) : answering(child, url)), "SIGKILL");
}

function spawnIn(dir: string, command: string, args: string[], env: Record<string, string>): ChildProcess {
  const out = openSync(join(dir, "stdout.log"), "w");
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(command, args, { cwd: dir, env: { PATH, HOME, ...env }, stdio: ["ignore", out, "pipe"] });
  closeSync(out);
  return child;
}

async function listening(child: ChildProcess, url: () => Promise<string>, end: NodeJS.Signals): Promise<Started> {
  const stop = () => ended(child, end);
  try {
    return { url: await url(), pid: child.pid as number, stop };
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

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await gone;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
