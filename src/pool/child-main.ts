// The main file of an isolated processor: a child process that loads one module and runs one job at a time.

import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Processor } from "../job/context.ts";
import type { ClaimedJob } from "../job/lease.ts";
import { type ErrorData, fromErrorData, messageOf } from "../lib/app-error.ts";
import type { Artifact } from "../store/store.ts";
import type { FromChild, PortVerb, ToChild } from "./child-protocol.ts";
import { type AttemptPort, JobContext } from "./context.ts";
import { outcomeOf, processJob } from "./process.ts";

const send = (message: FromChild) => process.send?.(message);
const [moduleUrl = ""] = process.argv.slice(2);

guardLifeline();
let current: JobContext | undefined;
const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
let calls = 0;

try {
  const module = (await import(moduleUrl || pathToFileURL(".").href)) as { default?: unknown };
  if (typeof module.default !== "function") throw new Error("its default export is not a function");
  serve(module.default as Processor<unknown, unknown, unknown>);
  send({ ready: true });
} catch (error) {
  send({ brokenModule: messageOf(error) });
}

function serve(run: Processor<unknown, unknown, unknown>): void {
  process.on("message", (message: ToChild) => {
    if ("run" in message) void work(run, message.run, message.names);
    else if ("lose" in message) current?.lose(message.lose);
    else answer(message.reply, message);
  });
  process.on("uncaughtException", (thrown) => finish(outcomeOf(thrown, current)));
  process.on("unhandledRejection", (thrown) => finish(outcomeOf(thrown, current)));
}

/** The payload was parsed by the parent, where the kind is defined. */
async function work(
  run: Processor<unknown, unknown, unknown>,
  job: ClaimedJob,
  names: { kind: string; stage: string },
) {
  const payload = JSON.parse(job.payload);
  current = new JobContext(job, names, payload, port());
  finish(await processJob(run, current, job.input === undefined ? payload : JSON.parse(job.input)));
}

function finish(outcome: ReturnType<typeof outcomeOf>): void {
  const note = current?.takeNote();
  current = undefined;
  send(note ? { outcome, note } : { outcome });
}

function port(): AttemptPort {
  return {
    note: (note) => call("note", note),
    storedSteps: () => call("storedSteps"),
    saveStep: (name, value) => call("saveStep", name, value),
    take: (limiter, cost) => call("take", limiter, cost),
    blockLimiter: (limiter, forMs) => call("blockLimiter", limiter, forMs),
    keepArtifact: ({ bytes, ...artifact }: Artifact) =>
      call("keepArtifact", { ...artifact, bytes: Buffer.from(bytes).toString("base64") }),
  };
}

function call<T>(verb: PortVerb, ...args: unknown[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const number = calls++;
    waiting.set(number, { resolve: resolve as never, reject });
    send({ call: number, verb, args });
  });
}

function answer(number: number, reply: { ok?: unknown; error?: ErrorData }): void {
  const { resolve, reject } = waiting.get(number) ?? {};
  waiting.delete(number);
  if (reply.error) reject?.(fromErrorData(reply.error));
  else resolve?.(reply.ok as never);
}

/** A thread of its own waits for the parent's pipe to close: a handler on this loop would not run while the job spins. */
function guardLifeline(): void {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const watchdog = new Worker(new URL(`./child-watchdog.${extension}`, import.meta.url));
  watchdog.unref();
  process.on("disconnect", () => process.exit(0));
}
