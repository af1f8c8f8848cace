import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { ClaimedJob, LossReason } from "../../job/lease.ts";
import { toErrorData } from "../../lib/app-error.ts";
import type { Note } from "../../store/verbs/attempts.ts";
import type { ContextNames } from "../context/names.ts";
import type { AttemptPort } from "../context/port.ts";
import { type AttemptEnd, crashedBy } from "../outcome.ts";
import { describeExit } from "./exit.ts";
import { ChildOutput, type OutputLine } from "./output.ts";
import { type FromChild, type PortVerb, packBytes, type ToChild, unpackBytes } from "./protocol.ts";
import { Priority } from "./resources/priority.ts";
import { descendant, mainThread, residentMb, type ThreadTime } from "./resources/proc.ts";
import { type SpawnOptions, spawnChild } from "./spawn.ts";

const CANCEL_GRACE_MS = 2_000;
const TAIL_CHARS = 2_000;
/** A line without a mark that arrives this soon after the end of a job counts as a line of that job. */
const LATE_OUTPUT_MS = 250;

/** One job in a child. */
export interface ChildJob {
  /** The name of the job's lease. A message under another name is not about this job. */
  of: string;
  port: AttemptPort;
  /** The child has loaded what the job needs. `needed` is the module's name for it. */
  begun(needed: string | undefined): void;
  end(end: AttemptEnd, note?: Note): void;
}

/** How long a child may take to start, unless its owner says otherwise. */
export const START_MS = 30_000;

export interface ChildProcessOptions extends SpawnOptions {
  /** Called with each line that the child writes and the job that printed it. */
  output?: ((line: Omit<OutputLine, "of"> & { jobId?: string }) => void) | undefined;
  /** How long the child may take to start, in milliseconds. */
  startMs: number;
}

/** The process is alive, and was not ready in time. */
export class SlowStart extends Error {}

/** A child process in a process group of its own: one job at a time, killed with everything that it started. */
export class Child {
  /** Rejects if the child does not start. */
  readonly ready: Promise<void>;
  readonly #process: ChildProcess;
  #priority: Priority | undefined;
  /** The process that runs jobs. In a sandbox it is a descendant of the process that was started. */
  #worker: number | undefined;
  #givesWay = false;
  #job: ChildJob | undefined;
  /** The name of the previous job's lease. */
  #lastOf = "";
  #tail = "";
  /** How the process ended; undefined while it lives. */
  #exit: string | undefined;
  #killedFor: AttemptEnd | undefined;
  #retired = false;
  #lastPort: AttemptPort | undefined;
  /** Whether its module is loaded. */
  started = false;
  idleSince = 0;
  /** How many jobs it has been given. */
  jobs = 0;
  /** Whether it got a lower priority, by `slowDown`. */
  slowed = false;

  constructor(module: URL, options: ChildProcessOptions, onExit: () => void) {
    const { memoryMb, output, isWaitedFor = true, startMs } = options;
    const { process: spawned, depth } = spawnChild(module, options);
    this.#process = spawned;
    this.#hearOutput(output && new ChildOutput(({ of, ...line }) => output({ ...this.#jobOf(of), ...line })));
    this.#adopt(this.pid);
    this.ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new SlowStart(`it did not start within ${startMs} ms`));
        this.kill();
      }, startMs);
      spawned.on("message", (message: FromChild) => {
        if ("ready" in message) {
          if (depth > 0) this.#adopt(descendant(this.pid, depth));
          this.started = true;
          resolve();
        } else if ("brokenModule" in message) {
          reject(new Error(message.brokenModule));
          this.kill();
        } else this.#hear(message);
      });
      spawned.on("error", reject);
      spawned.on("exit", (code, signal) => {
        const { message, outcome } = describeExit(code, signal, { depth, memoryMb, tail: this.#tail });
        this.#exit = message;
        // Processes that it started may still run, in the group that it led.
        this.#killGroup();
        reject(new Error(message));
        this.#endJob(this.#killedFor ?? outcome);
        onExit();
      });
      if (!isWaitedFor) timer.unref();
      const clear = () => clearTimeout(timer);
      spawned.once("message", clear);
      spawned.once("exit", clear);
    });
    // A caller that runs a job waits for `ready`. A child that nothing waits for may fail without a report.
    this.ready.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get dead(): boolean {
    return this.#exit !== undefined;
  }

  get busy(): boolean {
    return this.#job !== undefined;
  }

  run(job: ClaimedJob, names: ContextNames, childJob: ChildJob): void {
    this.#job = childJob;
    this.jobs++;
    if (this.#exit !== undefined) return this.#endJob(crashedBy(this.#exit));
    this.#send({ run: job, names });
  }

  /** Lets the child load what recent jobs have needed. A child that has not started is asked when it has. */
  standBy(needed: readonly string[]): void {
    if (this.started && !this.busy && needed.length > 0) this.#send({ standBy: needed });
  }

  /** Lets the steps under way finish. The deadline of the job bounds how long that takes. */
  windDown(): void {
    if (this.#job) this.#send({ lose: "undoing" });
  }

  lose(reason: LossReason): void {
    const job = this.#job;
    if (!job) return;
    this.#send({ lose: reason });
    setTimeout(() => {
      if (this.#job === job) this.kill("lost");
    }, CANCEL_GRACE_MS).unref();
  }

  /** Ends the whole group at once. `end` is the end of the job that it works on. */
  kill(end?: AttemptEnd): void {
    this.#killedFor = end;
    if (this.dead || this.pid === undefined) return;
    if (!this.#killGroup()) this.#process.kill("SIGKILL");
  }

  #killGroup(): boolean {
    try {
      return this.pid !== undefined && process.kill(-this.pid, "SIGKILL");
    } catch {
      return false;
    }
  }

  /** Ends the child as soon as it is idle. */
  retire(): void {
    this.#retired = true;
    if (!this.#job) this.kill();
  }

  exited(): Promise<void> {
    if (this.dead) return Promise.resolve();
    return new Promise((resolve) => this.#process.once("exit", () => resolve()));
  }

  // ── resources ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Lowers its priority. Raising it again takes a right that this process may not have, so the child is not kept. */
  slowDown(): void {
    if (this.#job === undefined) return;
    this.slowed = true;
    this.#priority?.setLowest();
  }

  /** Lowers the priority for as long as this process itself is short of CPU time. */
  giveWay(doesGiveWay: boolean): void {
    this.#givesWay = doesGiveWay;
    this.#priority?.giveWay(doesGiveWay);
  }

  /** The CPU time of its main thread so far; undefined where the system does not tell. */
  threadTime(): ThreadTime | undefined {
    return mainThread(this.#worker);
  }

  /** Resident memory; 0 where the system does not tell. */
  memoryMb(): number {
    return residentMb(this.#worker);
  }

  #adopt(pid: number | undefined): void {
    if (pid === undefined) return;
    this.#worker = pid;
    this.#priority = new Priority(pid);
    if (this.#givesWay) this.#priority.giveWay(true);
    offerToOomKiller(pid);
  }

  // ── messages and output ─────────────────────────────────────────────────────────────────────────────────────────

  #hear(message: Exclude<FromChild, { ready: true } | { brokenModule: string }>): void {
    const job = message.of === this.#job?.of ? this.#job : undefined;
    if ("outcome" in message) {
      if (job) this.#endJob(message.outcome, message.note);
      return;
    }
    if ("begun" in message) return job?.begun(message.needed);
    // Code of a job that has ended may still run. Its lease is gone, whichever job the child has now.
    const port = job?.port ?? this.#suspendedPort(message);
    const answer = port ? callPort(port, message) : Promise.resolve("lease-lost");
    void answer.then(
      (ok) => this.#send({ reply: message.call, ok }),
      (error) => this.#send({ reply: message.call, error: toErrorData(error) }),
    );
  }

  /** Code beside the waits of the last job may wake that job. */
  #suspendedPort({ of, verb }: { of: string; verb: PortVerb }): AttemptPort | undefined {
    return verb === "wakeLate" && of === this.#lastOf ? this.#lastPort : undefined;
  }

  #endJob(end: AttemptEnd, note?: Note): void {
    const job = this.#job;
    this.#lastPort = job?.port;
    this.#job = undefined;
    this.#lastOf = job?.of ?? this.#lastOf;
    this.idleSince = performance.now();
    job?.end(end, note);
    if (this.#retired) this.kill();
  }

  #send(message: ToChild): void {
    if (!this.dead && this.#process.connected) this.#process.send(message, () => {});
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

  /** Output and the end of a job use different pipes: a line may arrive when its job is over and another one runs. */
  #jobOf(of: string | undefined): { jobId?: string } {
    const justEnded = performance.now() - this.idleSince < LATE_OUTPUT_MS ? this.#lastOf : "";
    const now = this.#job?.of ?? justEnded;
    const known = of === "" || of === this.#lastOf ? of : now;
    return known === "" ? {} : { jobId: known.slice(0, known.lastIndexOf(".")) };
  }
}

async function callPort(port: AttemptPort, message: { verb: PortVerb; args: unknown[] }): Promise<unknown> {
  const verb = port[message.verb] as (...args: unknown[]) => Promise<unknown>;
  return packBytes(await verb.apply(port, message.args.map(unpackBytes)));
}

/** When memory runs out, the system should end a replaceable child rather than the server. */
function offerToOomKiller(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "500");
  } catch {
    // Not Linux, or not allowed. The memory limit still holds.
  }
}
