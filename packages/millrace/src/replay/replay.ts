// Runs a stage of a stored job again, with its payload, stored steps and stored waits. Nothing is written, and nothing that has an
// effect is called: the first call without a stored value ends the replay.

import type { StepOptions, StepRun, TransactionOptions } from "../job/context.ts";
import type { Kind, Stage } from "../job/kind/kind.ts";
import type { ClaimedJob } from "../job/lease.ts";
import type { ExportedJob } from "../job/report/exported-job.ts";
import type { DatabaseSource, TransactionOf } from "../job/transaction-source.ts";
import { AppError } from "../lib/app-error.ts";
import { nameMeant } from "../lib/did-you-mean.ts";
import type { Jsonified } from "../lib/json/jsonified.ts";
import { JobContext } from "../pool/context/context.ts";
import type { AttemptEnd } from "../pool/outcome.ts";
import { withMiddleware } from "../pool/run/middleware.ts";
import { parsePayload } from "../pool/run/payload.ts";
import { processJob } from "../pool/run/process.ts";
import { replayPort } from "./replay-port.ts";
import { StoredCalls, wordsOf } from "./stored-calls.ts";

/** Options of a replay. */
export interface ReplayOptions {
  /** The stage to run. Default: the stage where the job is, or where it ended. */
  stage?: string;
  /** Run steps that have no stored value. They do what they do in production. Default: false. */
  live?: boolean;
  /** Called before the stage's function runs, for example to stop in a debugger. Default: none. */
  onReady?: () => void;
}

/** What a replay came to. */
export interface Replay {
  /** The id of the job. */
  jobId: string;
  /** The name of its kind. */
  kind: string;
  /** The stage that ran. */
  stage: string;
  /** How it ended. */
  end: ReplayEnd;
  /** Stored steps and waits that the code did not come to, such as `step "charge"`. The next attempt would not use them. */
  unreached: string[];
  /** The log lines that the code wrote. */
  logs: string[];
}

/**
 * How a replay ended. `stopped`: at the first call without a stored value. `waits`: for something that has no stored
 * answer. `left`: by `ctx.defer()`, `ctx.hold()`, `ctx.limit()` or
 * `ctx.continueAsNew()`.
 */
export type ReplayEnd =
  | { type: "returned"; result: unknown }
  | { type: "threw"; code: string; message: string }
  | { type: "stopped"; call: string }
  | { type: "waits"; for: string[] }
  | { type: "left"; how: string };

export async function replay(kind: Kind, job: ExportedJob, options: ReplayOptions = {}): Promise<Replay> {
  const stage = stageOf(kind, job, options.stage);
  const stored = new StoredCalls(job, stage);
  const logs: string[] = [];
  const stopped = Promise.withResolvers<ReplayEnd>();
  const onStop = (call: string): Promise<never> => {
    stopped.resolve({ type: "stopped", call });
    return new Promise(() => {});
  };
  const port = replayPort(stored, { onLog: ({ message }) => logs.push(message), onChunk: () => {}, onStop });
  const claimed = claimedJob(job, stage, kind);
  const payload = await parsePayload(kind.schema, claimed.payload);
  const ctx = new ReplayContext(claimed, { kind: kind.name, stage: stage.name }, payload, port);
  ctx.guard = options.live
    ? undefined
    : (names) => (stored.hasStep(names) ? undefined : onStop(`ctx.step("${names[0]}")`));
  ctx.stop = onStop;
  ctx.reached = (names) => stored.hasStep(names);
  const run = withMiddleware([...kind.use, ...(stage.use ?? [])], await processorOf(stage));
  options.onReady?.();
  const input = claimed.input === undefined ? payload : JSON.parse(claimed.input);
  const ended = new Promise<ReplayEnd>((resolve) => {
    void processJob(run, ctx, input, (end) => resolve(endOf(end)));
  });
  const end = await Promise.race([ended, stopped.promise]);
  for (const { message } of ctx.drainNote()?.logs ?? []) logs.push(message);
  return { jobId: job.jobId, kind: kind.name, stage: stage.name, end, unreached: stored.unreached, logs };
}

/** Whether the code still fits what the job has stored: it came to all of it, and did not throw. */
export function fits({ end, unreached }: Replay): boolean {
  return unreached.length === 0 && end.type !== "threw";
}

/** `ctx` in a replay: a step without a stored value is not run. */
class ReplayContext extends JobContext {
  /** Undefined: the step runs. */
  guard: ((names: readonly string[]) => Promise<never> | undefined) | undefined;
  reached: (names: readonly string[]) => boolean = () => false;
  stop: (call: string) => Promise<never> = () => new Promise(() => {});

  override step<T>(
    name: string,
    fn: (step: StepRun) => T | Promise<T>,
    options: StepOptions & { undo?: string } = {},
  ): Promise<Jsonified<T>> {
    const names = [name, ...[options.renamedFrom ?? []].flat()];
    this.reached(names);
    return this.guard?.(names) ?? super.step(name, fn, options);
  }

  /** A stored value is returned without the database. In a live replay the step cannot be stored, so the transaction is not run. */
  override transaction<Source extends DatabaseSource, T>(
    name: string,
    db: Source,
    fn: (tx: TransactionOf<Source>, step: StepRun) => T | Promise<T>,
    options: TransactionOptions & { undo?: string } = {},
  ): Promise<Jsonified<T>> {
    const names = [name, ...[options.renamedFrom ?? []].flat()];
    if (!this.reached(names)) return this.stop(`ctx.transaction("${name}")`);
    return super.transaction(name, db, fn, options);
  }

  override stored<T>(name: string): Promise<T | undefined> {
    this.reached([name]);
    return super.stored<T>(name);
  }
}

function stageOf(kind: Kind, job: ExportedJob, wanted = job.stage): Stage {
  const names = kind.stages.map(({ name }) => name);
  const stage = kind.stages.find(({ name, renamedFrom }) => name === wanted || renamedFrom?.includes(wanted));
  if (!stage) {
    const meant = nameMeant(wanted, names);
    const hint = `Stages: ${names.join(", ")}.${meant === undefined ? "" : ` Did you mean "${meant}"?`}`;
    throw new AppError("invalid-request", `The kind "${kind.name}" has no stage "${wanted}".`, { hint });
  }
  return stage;
}

/** What a stage gets is stored only for the stage where the job is. */
function claimedJob(job: ExportedJob, stage: Stage, kind: Kind): ClaimedJob {
  const isFirst = kind.stages[0] === stage;
  if (!isFirst && job.input === undefined) {
    throw new AppError("invalid-request", `The input of the stage "${stage.name}" is not stored any more.`, {
      hint: `The job is ${job.state} in "${job.stage}". The first stage, "${kind.stages[0]?.name}", can be replayed.`,
    });
  }
  const at = Date.parse(job.createdAt);
  return {
    lease: { jobId: job.jobId, token: 0, slot: 0 },
    tenant: job.tenant,
    payload: JSON.stringify(job.payload),
    ...(!isFirst && { input: JSON.stringify(job.input) }),
    attempt: Math.max(1, job.attempt),
    priority: 0,
    tags: job.tags,
    createdAt: at,
    runAt: at,
    claimedAt: Date.now(),
    crashes: 0,
    hasSteps: true,
    workflow: { hasWaits: true },
    isLast: kind.stages.at(-1) === stage,
  };
}

/** The module of an isolated stage runs in this process, where a debugger reaches it. */
async function processorOf({ work }: Stage): Promise<Parameters<typeof withMiddleware>[1]> {
  if (work.in === "here") return work.run;
  const module = (await import(work.module.href)) as { default: Parameters<typeof withMiddleware>[1] };
  return module.default;
}

function endOf(end: AttemptEnd): ReplayEnd {
  if (end === "lost") return { type: "left", how: "the lease was lost" };
  switch (end.type) {
    case "completed":
      return { type: "returned", result: JSON.parse(end.result) };
    case "failed":
    case "crashed":
      return { type: "threw", code: end.failure.code, message: end.failure.message };
    case "waiting":
      return { type: "waits", for: end.waits.map(({ type, name }) => wordsOf(type, name)) };
    default:
      return { type: "left", how: end.type };
  }
}
