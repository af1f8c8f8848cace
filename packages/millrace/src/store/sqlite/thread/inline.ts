import { fromErrorData } from "../../../lib/app-error.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { StoreEvents } from "../../store.ts";
import type { CallHandler } from "../../thread/calls.ts";
import { closedError } from "../../thread/store-thread.ts";
import type { Verb } from "../../verbs/table.ts";
import { toAppError } from "../connection/errors.ts";
import { Core, type CoreOptions } from "../core.ts";
import { Caretaker } from "./caretaker.ts";
import { runGroup } from "./group.ts";

/** The same core without a thread: for ":memory:" and for tests that move the clock by hand. */
export class InlineCore implements CallHandler {
  readonly #core: Core;
  readonly #caretaker: Caretaker | undefined;
  readonly #events: StoreEvents;

  constructor(options: CoreOptions, events: StoreEvents, time?: { clock: Clock; random?: () => number }) {
    try {
      this.#core = new Core(options, events, time?.clock, time?.random);
    } catch (error) {
      throw toAppError(error);
    }
    this.#events = events;
    if (!time) this.#caretaker = new Caretaker(this.#core, events);
  }

  async call(verb: Verb, args: unknown[]): Promise<unknown> {
    if (!this.#core.db.isOpen) throw closedError();
    // Cloned as on the way to the thread, so that caller and store never share an object by accident.
    const [reply] = runGroup(this.#core, [{ verb, args: structuredClone(args) }], this.#events.fatal);
    if (reply && "error" in reply) throw fromErrorData(reply.error);
    return structuredClone(reply?.ok);
  }

  async close(): Promise<void> {
    this.#caretaker?.stop();
    this.#core.close();
  }
}
