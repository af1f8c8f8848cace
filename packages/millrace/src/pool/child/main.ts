// The main file of an isolated processor: a child process that loads one module and runs one job at a time.

import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Processor } from "../../job/context.ts";
import type { Stage } from "../../job/kind/kind.ts";
import { type AnyMiddleware, MIDDLEWARE } from "../../job/kind/middleware.ts";
import type { ClaimedJob, LossReason } from "../../job/lease.ts";
import { type ErrorData, fromErrorData, messageOf } from "../../lib/app-error.ts";
import { JobContext } from "../context/context.ts";
import type { ContextNames } from "../context/names.ts";
import type { AttemptPort } from "../context/port.ts";
import { type AttemptEnd, endOf } from "../outcome.ts";
import { withMiddleware } from "../run/middleware.ts";
import { processJob } from "../run/process.ts";
import { attemptEnded, runWatched, watchUncaught } from "../run/uncaught.ts";
import { UNDO_HANDLERS, undoProcessor } from "../run/undo.ts";
import { removeNetwork } from "./confine/no-network.ts";
import { markConsole } from "./console.ts";
import {
  endGroup,
  type FromChild,
  leaseName,
  type PortVerb,
  packBytes,
  type ToChild,
  unpackBytes,
} from "./protocol.ts";

const send = (message: FromChild) => process.send?.(message);
const [moduleUrl = "", freedom, memoryMb] = process.argv.slice(2);

guardLifeline();
if (memoryMb !== undefined) guardMemory(Number(memoryMb));
let current: JobContext | undefined;
/** The name of the lease of the job in hand. */
let currentOf = "";
if (freedom === "confined") removeNetwork();
else markConsole(() => currentOf);
const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
let calls = 0;

try {
  const module = (await import(moduleUrl || pathToFileURL(".").href)) as Record<string, unknown>;
  const { default: run, prepare, standBy, use = [], undo } = module;
  if (typeof run !== "function") throw new Error("its default export is not a function");
  if (use !== undefined && !MIDDLEWARE.accepts(use)) throw new Error('its export "use" is not an array of functions');
  if (undo !== undefined && !UNDO_HANDLERS.accepts(undo))
    throw new Error('its export "undo" is not an object of functions');
  const layers = use as AnyMiddleware[];
  serve({
    run: withMiddleware(layers, run as Module["run"]),
    undo: withMiddleware(layers, undoProcessor(undo as Stage["undo"])),
    undoNames: Object.keys(undo ?? {}),
    prepare: typeof prepare === "function" ? (prepare as Module["prepare"]) : undefined,
    standBy: typeof standBy === "function" ? (standBy as Module["standBy"]) : undefined,
  });
  send({ ready: true });
} catch (error) {
  send({ brokenModule: messageOf(error) });
}

interface Module {
  readonly run: Processor<unknown, unknown, unknown>;
  /** Runs the undo handlers of the module instead. */
  readonly undo: Processor<unknown, unknown, unknown>;
  readonly undoNames: readonly string[];
  /** Loads what a payload needs before the time of its job begins to count, and may give that a name. */
  readonly prepare: ((payload: unknown) => Promise<string | undefined> | string | undefined) | undefined;
  /** Loads what recent jobs have needed, by those names, while no job waits. */
  readonly standBy: ((needed: readonly string[]) => Promise<void> | void) | undefined;
}

function serve(module: Module): void {
  watchUncaught();
  process.on("message", (message: ToChild) => {
    if ("run" in message) work(module, message.run, message.names);
    else if ("lose" in message) loseCurrent(message.lose);
    else if ("standBy" in message) void standBy(module, message.standBy);
    else answer(message.reply, message);
  });
}

let endCurrent: ((outcome: AttemptEnd) => void) | undefined;

function loseCurrent(reason: LossReason): void {
  const ctx = current;
  if (reason !== "undoing") return ctx?.lose(reason);
  const end = endCurrent;
  void ctx?.windDown().then(() => {
    end?.({ type: "cancelled" });
    ctx.lose("undoing");
  });
}

/** If something cannot be loaded, the job that needs it fails with the reason. */
async function standBy(module: Module, needed: readonly string[]): Promise<void> {
  try {
    await module.standBy?.(needed);
  } catch {}
}

/** The payload was parsed by the parent, where the kind is defined. */
function work({ run, undo, undoNames, prepare }: Module, job: ClaimedJob, names: ContextNames): void {
  const payload = JSON.parse(job.payload);
  const of = leaseName(job.lease);
  const ctx = new JobContext(job, { ...names, undo: undoNames }, payload, port(of));
  current = ctx;
  currentOf = of;
  // The first end counts: a job that threw in a timer may still return.
  const end = (outcome: AttemptEnd) => {
    if (current !== ctx) return;
    current = undefined;
    currentOf = "";
    attemptEnded(fail);
    const note = ctx.drainNote();
    send(note ? { of, outcome, note } : { of, outcome });
  };
  endCurrent = end;
  const input = job.input === undefined ? payload : JSON.parse(job.input);
  const fail = (thrown: unknown) => end(endOf(thrown, ctx));
  const prepared = async (): Promise<void> => {
    const needed = await prepare?.(payload);
    send({ of, begun: true, ...(typeof needed === "string" && { needed }) });
  };
  runWatched(fail, async () => {
    try {
      await prepared();
    } catch (thrown) {
      return fail(thrown);
    }
    await processJob(job.workflow?.undoing ? undo : run, ctx, input, end);
  });
}

function port(of: string): AttemptPort {
  return {
    note: (note) => call(of, "note", note),
    confirm: () => call(of, "confirm"),
    storedSteps: () => call(of, "storedSteps"),
    firstJob: () => call(of, "firstJob"),
    saveStep: (name, value, more) => call(of, "saveStep", name, value, more),
    beginUndoable: () => call(of, "beginUndoable"),
    undosLeft: () => call(of, "undosLeft"),
    resume: () => call(of, "resume"),
    wakeLate: (name) => call(of, "wakeLate", name),
    setAside: (name, reason) => call(of, "setAside", name, reason),
    decideRace: (race) => call(of, "decideRace", race),
    openStreams: () => call(of, "openStreams"),
    appendStreams: (write) => call(of, "appendStreams", write),
    startChildren: (children) => call(of, "startChildren", children),
    childEnds: (wait, options) => call(of, "childEnds", wait, options),
    dependencies: (options) => call(of, "dependencies", options),
    take: (limiter, cost) => call(of, "take", limiter, cost),
    blockLimiter: (limiter, forMs) => call(of, "blockLimiter", limiter, forMs),
    keepArtifact: (artifact) => call(of, "keepArtifact", packBytes(artifact)),
    acquireUnique: (key) => call(of, "acquireUnique", key),
    share: (artifact, options) => call(of, "share", packBytes(artifact), options),
    shared: (key) => call(of, "shared", key),
  };
}

function call<T>(of: string, verb: PortVerb, ...args: unknown[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const number = calls++;
    waiting.set(number, { resolve: resolve as never, reject });
    send({ of, call: number, verb, args });
  });
}

function answer(number: number, reply: { ok?: unknown; error?: ErrorData }): void {
  const { resolve, reject } = waiting.get(number) ?? {};
  waiting.delete(number);
  if (reply.error) reject?.(fromErrorData(reply.error));
  else resolve?.(unpackBytes(reply.ok) as never);
}

/**
 * Starts a thread that waits for the parent's pipe to close. A handler on this loop would not run while the job spins.
 */
function guardLifeline(): void {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const watchdog = new Worker(new URL(`./watchdog.${extension}`, import.meta.url));
  watchdog.unref();
  process.on("disconnect", endGroup);
}

function guardMemory(memoryMb: number): void {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  new Worker(new URL(`./memory.${extension}`, import.meta.url), { workerData: { memoryMb } }).unref();
}
