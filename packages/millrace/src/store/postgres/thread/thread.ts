// THE STORE THREAD of PostgreSQL: all talk with the server happens here, so that a blocked main loop keeps its leases.

import { parentPort, workerData } from "node:worker_threads";
import { toErrorData } from "../../../lib/app-error.ts";
import { RemoteTransactions } from "../../thread/caller-transactions.ts";
import type { Call } from "../../thread/calls.ts";
import { postEvents } from "../../thread/post-events.ts";
import type { FromThread, ToThread } from "../../thread/store-thread.ts";
import { type PackedReplies, packReplies, unpackCalls } from "../../thread/wire.ts";
import type { SettleAnswer } from "../../verbs/attempts.ts";
import { type Args, VERBS } from "../../verbs/table.ts";
import { toAppError } from "../connection/errors.ts";
import { Core, type CoreOptions } from "../core.ts";
import type { Part } from "../settle/settle-queue.ts";
import { settlesOf } from "../verbs.ts";
import { Caretaker } from "./caretaker.ts";
import { replyOf } from "./group.ts";
import { runVerb } from "./run-verb.ts";

const port = parentPort;
if (!port) throw new Error("thread.ts runs as a worker thread only");
const send = (message: FromThread) => port.postMessage(message);

const events = postEvents(send);

/** Answers of one turn of the loop travel as one message: waking the other thread costs more than the answer. */
class Replies {
  #packed: PackedReplies = [];
  #planned = false;

  add(packed: PackedReplies): void {
    for (const part of packed) this.#packed.push(part);
    if (this.#planned) return;
    this.#planned = true;
    setImmediate(() => this.flush());
  }

  flush(): void {
    this.#planned = false;
    if (this.#packed.length === 0) return;
    send({ replies: this.#packed });
    this.#packed = [];
  }
}

interface QueuedCall {
  number: number;
  call: Call;
}

void open();

/** A function, because the build also makes a CommonJS script of this thread, which cannot await at its top level. */
async function open(): Promise<void> {
  try {
    const core = await Core.open(workerData as CoreOptions, events);
    serve(core);
    send({ opened: true });
  } catch (error) {
    send({ failed: toErrorData(toAppError(error)) });
  }
}

function serve(core: Core): void {
  const settles = settlesOf(core);
  const caretaker = new Caretaker(core, events);
  const replies = new Replies();
  const under = new Set<Promise<void>>();

  const remote = new RemoteTransactions((statement) => send({ statement }));
  const answer = async ({ number, call }: QueuedCall) => {
    if (VERBS[call.verb].mode === "within") call.args[0] = remote.of(number);
    const reply = await replyOf(() => runVerb(core, call));
    replies.add(packReplies([number], [call], [reply]));
  };

  /**
   * Attempts that end in the same turn are settled together. If that fails, each is settled alone and has its own
   * answer.
   */
  const answerAll = async (asked: QueuedCall[], part: Part) => {
    let settled: SettleAnswer[];
    try {
      settled = await settles.ask(part);
    } catch {
      await Promise.all(asked.map(answer));
      return;
    }
    const [numbers, calls] = [asked.map(({ number }) => number), asked.map(({ call }) => call)];
    replies.add(
      packReplies(
        numbers,
        calls,
        settled.map((ok) => ({ ok })),
      ),
    );
  };

  port?.on("message", (message: ToThread) => {
    if (message === "close") return void close();
    if (message.answered) remote.answered(message.answered);
    const { numbers, calls } = unpackCalls(message.calls);
    const endings: QueuedCall[] = [];
    for (const [i, call] of calls.entries()) {
      const asked = { number: numbers[i] as number, call };
      if (call.verb === "settle") endings.push(asked);
      else watch(answer(asked));
    }
    if (endings.length === 0) return;
    for (const part of settles.partsOf(endings.map(({ call }) => call.args as Args<"settle">))) {
      watch(answerAll(endings.slice(part.from, part.from + part.endings.length), part));
    }
  });

  function watch(answered: Promise<void>): void {
    under.add(answered);
    void answered.finally(() => under.delete(answered));
  }

  async function close(): Promise<void> {
    await Promise.allSettled(under);
    try {
      await caretaker.stop();
      await core.close();
    } catch {
      // The server is away. Another process will find the leases of this one expired.
    } finally {
      replies.flush();
      send({ closed: true });
      port?.close();
    }
  }
}
