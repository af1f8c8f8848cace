import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import type { ClaimedJob, LossReason } from "../../job/lease.ts";
import type { Outcome } from "../../job/lifecycle.ts";
import { toErrorData } from "../../lib/app-error.ts";
import { childEnv } from "../../lib/runtime/child-env.ts";
import { compiledModule } from "../../lib/runtime/compiled-module.ts";
import { CONDITIONS } from "../../lib/runtime/conditions.ts";
import { ownFile } from "../../lib/runtime/own-file.ts";
import type { Note } from "../../store/store.ts";
import type { AttemptPort } from "../context.ts";
import { confinedCommand } from "./confine.ts";
import { withoutMarks } from "./console.ts";
import { heapBound, NO_BOUND } from "./heap-bound.ts";
import { ChildOutput, type OutputLine } from "./output.ts";
import { Priority } from "./priority.ts";
import { descendant, mainThread, residentMb, type ThreadTime } from "./proc.ts";
import { type FromChild, OVER_MEMORY, type PortVerb, packBytes, type ToChild, unpackBytes } from "./protocol.ts";

const CANCEL_GRACE_MS = 2_000;
const TAIL_CHARS = 2_000;
/** A line without a mark that comes this soon after the end of a job is taken for one of that job's. */
const LATE_OUTPUT_MS = 250;

/** One job in a child. */
interface Errand {
  /** Names its lease: what a child says in another's name is not about this one. */
  of: string;
  port: AttemptPort;
  /** What the job needs is loaded. */
  begun(needed: string | undefined): void;
  end(outcome: Outcome | "lost", note?: Note): void;
}

/** How long a child may take to start, unless its owner says otherwise. */
export const START_MS = 30_000;

export interface ChildOptions {
  confined?: boolean | undefined;
  memoryMb?: number | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  /** Hears each line that it writes, with the job that printed it. */
  output?: ((line: Omit<OutputLine, "of"> & { jobId?: string }) => void) | undefined;
  /** false: it does not keep this process alive. */
  isWaitedFor?: boolean;
  /** How long it may take to start. */
  startMs: number;
}

/** The process is alive, and was not ready in time. */
export class SlowStart extends Error {}

/** A child process in a process group of its own: one job at a time, killed with all it started. */
export class Child {
  readonly ready: Promise<void>;
  readonly #process: ChildProcess;
  #priority: Priority | undefined;
  /** The process that runs jobs. The one that was started is its sandbox, where it has one. */
  #worker: number | undefined;
  #givesWay = false;
  #errand: Errand | undefined;
  /** Names the lease of the job before. */
  #lastOf = "";
  #tail = "";
  #dead: string | undefined;
  #killedFor: Outcome | "lost" | undefined;
  #retired = false;
  /** Its module is loaded. */
  started = false;
  idleSince = 0;
  /** How many jobs it has been given. */
  jobs = 0;
  /** See `slowDown`. */
  slowed = false;

  constructor(
    module: URL,
    { confined = false, memoryMb, env: own = {}, output, isWaitedFor = true, startMs }: ChildOptions,
    onExit: () => void,
  ) {
    const main = fileURLToPath(ownFile("pool/child/main.ts"));
    const heap = memoryMb === undefined ? NO_BOUND : heapBound(memoryMb);
    const cap = memoryMb === undefined ? [] : [String(memoryMb)];
    const file = compiledModule(module).href;
    const { command, args, env, depth } = confined
      ? confinedCommand(main, [file, "confined", ...cap], heap)
      : {
          command: process.execPath,
          args: [...CONDITIONS, ...heap.flags, main, file, "free", ...cap],
          env: childEnv(heap.env),
          depth: 0,
        };
    this.#process = spawn(command, args, {
      detached: true,
      env: { ...env, ...own },
      ...(confined && { cwd: "/" }),
      // The last pipe is the lifeline: nothing is ever written; it closes when this process dies.
      stdio: ["ignore", "pipe", "pipe", "ipc", "pipe"],
    });
    this.#hearOutput(output && new ChildOutput(({ of, ...line }) => output({ ...this.#jobOf(of), ...line })));
    this.#settle(this.pid);
    this.ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new SlowStart(`it did not start within ${startMs} ms`));
        this.kill();
      }, startMs);
      this.#process.on("message", (message: FromChild) => {
        if ("ready" in message) {
          if (depth > 0) this.#settle(descendant(this.pid, depth));
          this.started = true;
          resolve();
        } else if ("brokenModule" in message) {
          reject(new Error(message.brokenModule));
          this.kill();
        } else this.#hear(message);
      });
      this.#process.on("error", reject);
      this.#process.on("exit", (code, reported) => {
        const signal = reported ?? (depth > 0 ? signalIn(code) : null);
        this.#dead = describeExit(code, signal, this.#tail);
        // What it started may still run, in the group it led.
        this.#killGroup();
        reject(new Error(this.#dead));
        const failure = signal === OVER_MEMORY ? overMemory(memoryMb) : crash(this.#dead);
        // A supervisor that stops the whole service signals the children too: that is nobody's fault.
        const isStopped = signal === "SIGTERM" || signal === "SIGINT";
        this.#endErrand(this.#killedFor ?? (isStopped ? { type: "released" } : { type: "crashed", failure }));
        onExit();
      });
      if (!isWaitedFor) timer.unref();
      const clear = () => clearTimeout(timer);
      this.#process.once("message", clear);
      this.#process.once("exit", clear);
    });
    if (!isWaitedFor) this.#letProcessEnd();
    // Whoever runs a job waits for it and hears; a child nobody waited for may fail in silence.
    this.ready.catch(() => {});
  }

  #letProcessEnd(): void {
    this.#process.unref();
    // On Bun the channel has no such method.
    (this.#process.channel as { unref?(): void } | null | undefined)?.unref?.();
    for (const stream of this.#process.stdio) (stream as { unref?(): void } | null | undefined)?.unref?.();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get dead(): boolean {
    return this.#dead !== undefined;
  }

  #hearOutput(lines: ChildOutput | undefined): void {
    for (const name of ["stdout", "stderr"] as const) {
      const stream = this.#process[name];
      stream?.on("data", (chunk: Buffer) => {
        this.#tail = (this.#tail + chunk.subarray(-TAIL_CHARS)).slice(-TAIL_CHARS);
        const pauseMs = lines?.write(name, chunk) ?? 0;
        if (pauseMs === 0) return;
        stream.pause();
        setTimeout(() => stream.resume(), pauseMs).unref();
      });
    }
    this.#process.on("close", () => lines?.end());
  }

  /** Output and the end of a job come by different pipes: a line may arrive when its job is over and another one runs. */
  #jobOf(of: string | undefined): { jobId?: string } {
    const justEnded = performance.now() - this.idleSince < LATE_OUTPUT_MS ? this.#lastOf : "";
    const now = this.#errand?.of ?? justEnded;
    const known = of === "" || of === this.#lastOf ? of : now;
    return known === "" ? {} : { jobId: known.slice(0, known.lastIndexOf(".")) };
  }

  get busy(): boolean {
    return this.#errand !== undefined;
  }

  run(job: ClaimedJob, names: { kind: string; stage: string }, errand: Errand): void {
    this.#errand = errand;
    this.jobs++;
    if (this.#dead) return this.#endErrand({ type: "crashed", failure: crash(this.#dead) });
    this.#send({ run: job, names });
  }

  /** It may load what jobs of late have needed; one that has not started is told when it has. */
  standBy(needed: readonly string[]): void {
    if (this.started && !this.busy && needed.length > 0) this.#send({ standBy: needed });
  }

  lose(reason: LossReason): void {
    const errand = this.#errand;
    if (!errand) return;
    this.#send({ lose: reason });
    setTimeout(() => {
      if (this.#errand === errand) this.kill("lost");
    }, CANCEL_GRACE_MS).unref();
  }

  /** The whole group, at once. `outcome` says what becomes of the job it held. */
  kill(outcome?: Outcome | "lost"): void {
    this.#killedFor = outcome;
    if (this.#dead || this.pid === undefined) return;
    if (!this.#killGroup()) this.#process.kill("SIGKILL");
  }

  #killGroup(): boolean {
    try {
      return this.pid !== undefined && process.kill(-this.pid, "SIGKILL");
    } catch {
      return false;
    }
  }

  /** Others go first. A process cannot be hurried again without a right we may not have, so this one is not kept. */
  slowDown(): void {
    if (this.#errand === undefined) return;
    this.slowed = true;
    this.#priority?.fallFarBehind();
  }

  /** While this process itself is short of time. */
  giveWay(doesGiveWay: boolean): void {
    this.#givesWay = doesGiveWay;
    this.#priority?.giveWay(doesGiveWay);
  }

  /** What its work has had of the processors so far; undefined where the system does not tell. */
  threadTime(): ThreadTime | undefined {
    return mainThread(this.#worker);
  }

  /** Resident; 0 where the system does not tell. */
  memoryMb(): number {
    return residentMb(this.#worker);
  }

  /** Another has its slot: it ends as soon as it is done. */
  retire(): void {
    this.#retired = true;
    if (!this.#errand) this.kill();
  }

  exited(): Promise<void> {
    if (this.#dead) return Promise.resolve();
    return new Promise((resolve) => this.#process.once("exit", () => resolve()));
  }

  #hear(message: Exclude<FromChild, { ready: true } | { brokenModule: string }>): void {
    const errand = message.of === this.#errand?.of ? this.#errand : undefined;
    if ("outcome" in message) {
      if (errand) this.#endErrand(message.outcome, message.note);
      return;
    }
    if ("begun" in message) return errand?.begun(message.needed);
    // A job that is done may have left code behind: its lease is gone, whoever has the child now.
    const answer = errand ? callPort(errand.port, message) : Promise.resolve("lease-lost");
    void answer.then(
      (ok) => this.#send({ reply: message.call, ok }),
      (error) => this.#send({ reply: message.call, error: toErrorData(error) }),
    );
  }

  #endErrand(outcome: Outcome | "lost", note?: Note): void {
    const errand = this.#errand;
    this.#errand = undefined;
    this.#lastOf = errand?.of ?? this.#lastOf;
    this.idleSince = performance.now();
    errand?.end(outcome, note);
    if (this.#retired) this.kill();
  }

  #send(message: ToChild): void {
    if (!this.#dead && this.#process.connected) this.#process.send(message, () => {});
  }

  #settle(pid: number | undefined): void {
    if (pid === undefined) return;
    this.#worker = pid;
    this.#priority = new Priority(pid);
    if (this.#givesWay) this.#priority.giveWay(true);
    this.#volunteerForTheOomKiller(pid);
  }

  /** When memory runs out, the system should end a replaceable child rather than the server. */
  #volunteerForTheOomKiller(pid: number): void {
    try {
      writeFileSync(`/proc/${pid}/oom_score_adj`, "500");
    } catch {
      // Not Linux, or not allowed: the memory cap still holds.
    }
  }
}

async function callPort(port: AttemptPort, message: { verb: PortVerb; args: unknown[] }): Promise<unknown> {
  const verb = port[message.verb] as (...args: unknown[]) => Promise<unknown>;
  return packBytes(await verb.apply(port, message.args.map(unpackBytes)));
}

export function overMemory(memoryMb: number | undefined) {
  const message = `The processor used more than ${memoryMb} MiB of memory and was ended.`;
  return { code: "out-of-memory", message, permanent: false };
}

function crash(message: string) {
  return { code: "crashed", message, permanent: false };
}

/** A shell reports a process that a signal ended by an exit code above 128. */
function signalIn(code: number | null): string | null {
  const number = (code ?? 0) - 128;
  return Object.entries(constants.signals).find(([, each]) => each === number)?.[0] ?? null;
}

function describeExit(code: number | null, signal: string | null, tail: string): string {
  const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
  const words = withoutMarks(tail).trim();
  return words ? `The processor's process ${how}. It last said: ${words}` : `The processor's process ${how}.`;
}
