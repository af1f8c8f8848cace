import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { AnyMiddleware } from "../../job/kind/middleware.ts";
import type { ClaimedJob, LossReason } from "../../job/lease.ts";
import type { Note } from "../../store/verbs/attempts.ts";
import { JobContext } from "../context/context.ts";
import type { ContextNames } from "../context/names.ts";
import type { AttemptPort } from "../context/port.ts";
import { storableText } from "../context/storable.ts";
import { type AttemptEnd, endOf, RELEASED } from "../outcome.ts";
import { processAroundChild } from "../run/middleware-around-child.ts";
import { parsePayload } from "../run/payload.ts";
import type { AttemptControl, WorkTime } from "../runner.ts";
import type { Child } from "./child.ts";
import { leaseName } from "./protocol.ts";
import type { ThreadTime } from "./resources/proc.ts";

export interface ChildAttemptOptions {
  names: ContextNames;
  schema: StandardSchemaV1;
  port: AttemptPort;
  /** Middleware around the attempt, in this process. */
  use: readonly AnyMiddleware[];
  /** Called with the module's name for what the job needs, so that idle children can load it. */
  onNeeded(needed: string): void;
  /** The attempt has ended. */
  onEnd(end: AttemptEnd): void;
}

/** One attempt in a child process, with middleware around it in this process. */
export class ChildAttempt implements AttemptControl {
  readonly #child: Child;
  readonly #job: ClaimedJob;
  readonly #options: ChildAttemptOptions;
  /** For middleware. */
  #ctx: JobContext | undefined;
  #lost: LossReason | undefined;
  #isWindingDown = false;
  #note: Note | undefined;
  workingSince: number | undefined;
  #timeBefore: ThreadTime | undefined;

  constructor(child: Child, job: ClaimedJob, options: ChildAttemptOptions) {
    this.#child = child;
    this.#job = job;
    this.#options = options;
    void this.#run().then(options.onEnd);
  }

  async #run(): Promise<AttemptEnd> {
    const { schema, names, port, use } = this.#options;
    try {
      const payload = await parsePayload(schema, this.#job.payload);
      if (use.length === 0) return await this.#runChild(payload);
      this.#ctx = new JobContext(this.#job, names, payload, port);
      return this.#lost ? "lost" : await processAroundChild(use, this.#ctx, () => this.#runChild(payload));
    } catch (thrown) {
      return endOf(thrown);
    }
  }

  async #runChild(parsed: unknown): Promise<AttemptEnd> {
    const { names, port, onNeeded } = this.#options;
    let payload: string;
    try {
      payload = storableText(parsed, "parsed payload", Number.POSITIVE_INFINITY);
    } catch (thrown) {
      return endOf(thrown);
    }
    try {
      await this.#child.ready;
    } catch {
      // The child never started: the job has not been tried.
      return RELEASED;
    }
    if (this.#lost) return "lost";
    if (this.#isWindingDown) return { type: "cancelled" };
    return new Promise((resolve) => {
      this.#child.run({ ...this.#job, payload }, names, {
        of: leaseName(this.#job.lease),
        port,
        begun: (needed) => {
          this.workingSince = performance.now();
          this.#timeBefore = this.#child.threadTime();
          if (needed !== undefined) onNeeded(needed);
        },
        end: (end, note) => {
          this.#note = note;
          resolve(end);
        },
      });
    });
  }

  lose(reason: LossReason): void {
    this.#lost = reason;
    this.#ctx?.lose(reason);
    this.#child.lose(reason);
  }

  windDown(): void {
    this.#isWindingDown = true;
    this.#child.windDown();
  }

  kill(): void {
    this.#lost = "timed-out";
    this.#ctx?.lose("timed-out");
    this.#child.kill("lost");
  }

  time(): WorkTime {
    if (this.workingSince === undefined) return { workMs: 0 };
    const [now, before] = [this.#child.threadTime(), this.#timeBefore];
    const passedMs = performance.now() - this.workingSince;
    if (now === undefined || before === undefined) return { workMs: passedMs };
    return { workMs: passedMs - (now.starvedMs - before.starvedMs), ranMs: now.ranMs - before.ranMs };
  }

  slowDown(): void {
    this.#child.slowDown();
  }

  drainNote(): Note | undefined {
    const [inner, own] = [this.#note, this.#ctx?.drainNote()];
    if (!inner || !own) return inner ?? own;
    return { ...own, ...inner, logs: [...(inner.logs ?? []), ...(own.logs ?? [])] };
  }
}
