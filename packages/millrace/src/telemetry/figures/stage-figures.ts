import type { SettleResult } from "../../store/verbs/attempts.ts";
import { Histogram } from "./histogram.ts";

/** The end of an attempt, as pools report it. */
export interface SettledFigures {
  readonly kind: string;
  readonly stage: string;
  readonly job: { readonly tenant: string };
  readonly outcome: { readonly type: string };
  readonly settled: SettleResult;
  readonly waitMs: number;
  readonly runMs: number;
}

/** How the job ended by it. Undefined: it goes on. */
export type JobEnd = "completed" | "failed" | undefined;

/** The figures of one stage in this process. */
export class StageFigures {
  readonly kind: string;
  readonly stage: string;
  readonly wait = new Histogram();
  readonly run = new Histogram();
  /** The attempts by outcome; `lost` for those whose lease ended first. */
  readonly attempts: Record<string, number> = {
    completed: 0,
    failed: 0,
    crashed: 0,
    deferred: 0,
    held: 0,
    released: 0,
    lost: 0,
  };
  retries = 0;
  deadLetters = 0;
  rejected = 0;
  readonly #succeeded = new Tally();
  readonly #wentWrong = new Tally();

  constructor(kind: string, stage: string) {
    this.kind = kind;
    this.stage = stage;
  }

  settled({ outcome, settled, waitMs, runMs }: SettledFigures): JobEnd {
    if (settled.written === "lease-lost") {
      this.lost();
      return undefined;
    }
    const { type } = outcome;
    this.attempts[type] = (this.attempts[type] ?? 0) + 1;
    this.wait.record(waitMs);
    this.run.record(runMs);
    if (type === "completed") {
      this.#succeeded.total++;
      return settled.standing === "completed" ? "completed" : undefined;
    }
    return type === "failed" || type === "crashed" ? this.#failed(settled.standing) : undefined;
  }

  lost(): void {
    this.attempts["lost"] = (this.attempts["lost"] ?? 0) + 1;
  }

  #failed(standing: string): JobEnd {
    this.#wentWrong.total++;
    if (standing === "failed") this.deadLetters++;
    else if (standing === "rejected") this.rejected++;
    else {
      this.retries++;
      return undefined;
    }
    return "failed";
  }

  turn(): void {
    this.wait.turn();
    this.run.turn();
    this.#succeeded.turn();
    this.#wentWrong.turn();
  }

  get completed(): number {
    return this.#succeeded.total;
  }

  /** The share of recent attempts that succeeded. Without recent ones, of all attempts since the start. */
  get successRate(): number | null {
    const rate = (good: number, bad: number) => (good + bad === 0 ? null : good / (good + bad));
    return rate(this.#succeeded.recent, this.#wentWrong.recent) ?? rate(this.#succeeded.total, this.#wentWrong.total);
  }
}

/** A count since the start, and over the last one to two turns. */
class Tally {
  total = 0;
  #atTurn = 0;
  #atTurnBefore = 0;

  turn(): void {
    this.#atTurnBefore = this.#atTurn;
    this.#atTurn = this.total;
  }

  get recent(): number {
    return this.total - this.#atTurnBefore;
  }
}
