import { type ErrorData, toErrorData } from "../../../lib/app-error.ts";
import type { Call, CallReply } from "../../thread/calls.ts";
import { queryTimeout } from "../../thread/query-timeout.ts";
import { closedError } from "../../thread/store-thread.ts";
import { NO_TENANT, type Turn, Turns } from "../../thread/turns.ts";
import { toAppError } from "../connection/errors.ts";
import type { ReadView } from "../core.ts";
import { isSliced, type SlicedRead } from "../read/slices.ts";
import { runVerb } from "./group.ts";

/** A read behind a long search waits this long for its turn. */
const TURN_MS = 20;

interface QueuedRead extends Turn {
  readonly number: number;
  readonly call: Call;
  readonly askedAt: number;
  slices?: SlicedRead<unknown>;
}

/**
 * The reads that a reader thread has to answer, one turn after another. Between two turns the thread handles its own
 * events.
 */
export class ReadQueue {
  readonly #view: ReadView;
  readonly #limitMs: number;
  readonly #answer: (number: number, call: Call, reply: CallReply) => void;
  readonly #turns = new Turns<QueuedRead>();
  #isWorking = false;
  #isClosed = false;

  constructor(view: ReadView, limitMs: number, answer: (number: number, call: Call, reply: CallReply) => void) {
    this.#view = view;
    this.#limitMs = limitMs;
    this.#answer = answer;
  }

  add(number: number, call: Call): void {
    this.#turns.add({ number, call, lane: laneOf(call), begun: false, askedAt: performance.now() });
    if (this.#isWorking) return;
    this.#isWorking = true;
    setImmediate(() => this.#work());
  }

  /** Rejects the reads that wait. No read is in the middle of a statement. */
  close(): void {
    this.#isClosed = true;
    for (const { number, call } of this.#turns.drain()) this.#answer(number, call, failed(closedError()));
  }

  #work(): void {
    const reading = this.#isClosed ? undefined : this.#turns.next();
    if (!reading) {
      this.#isWorking = false;
      return;
    }
    const reply = this.#turn(reading);
    if (reply) this.#answer(reading.number, reading.call, reply);
    else this.#turns.add(reading);
    setImmediate(() => this.#work());
  }

  /** Undefined: it needs another turn. */
  #turn(reading: QueuedRead): CallReply | undefined {
    try {
      const until = performance.now() + TURN_MS;
      this.#requireTime(reading);
      const answer = reading.slices ?? this.#begin(reading.call);
      reading.begun = true;
      if (!isSliced(answer)) return { ok: answer };
      reading.slices = answer;
      while (performance.now() < until) {
        const { done, value } = answer.next();
        if (done) return { ok: value };
        this.#requireTime(reading);
      }
      return undefined;
    } catch (error) {
      return failed(error);
    }
  }

  #begin(call: Call): unknown {
    this.#view.names.forgetStages();
    return runVerb(this.#view, call);
  }

  #requireTime({ askedAt }: QueuedRead): void {
    if (this.#limitMs > 0 && performance.now() - askedAt > this.#limitMs) throw queryTimeout(this.#limitMs);
  }
}

/** Reads by filter are the tenant's; all others are short. */
function laneOf({ args: [filter] }: Call): string {
  const tenant = typeof filter === "object" && filter !== null && "tenant" in filter ? filter.tenant : undefined;
  return typeof tenant === "string" ? tenant : NO_TENANT;
}

function failed(error: unknown): { error: ErrorData } {
  return { error: toErrorData(toAppError(error)) };
}
