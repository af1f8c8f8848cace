// THE STORE THREAD: owns the process's only writing connection. It gathers what callers ask, runs it in one transaction
// and answers each after the commit, so that fsync blocks no request and a blocked main loop keeps its leases.

import "./own-thread.ts";

import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { toErrorData } from "../../../lib/app-error.ts";
import type { Call, CallReply } from "../../thread/calls.ts";
import { postEvents } from "../../thread/post-events.ts";
import type { FromThread, ToThread } from "../../thread/store-thread.ts";
import { packReplies, unpackCalls } from "../../thread/wire.ts";
import { toAppError } from "../connection/errors.ts";
import { Core, type CoreOptions } from "../core.ts";
import { Caretaker } from "./caretaker.ts";
import { runGroup } from "./group.ts";
import { openView } from "./reader.ts";
import { ReadQueue } from "./reads.ts";

export type ThreadData = { role: "writer"; options: CoreOptions } | ({ role: "reader" } & ReaderOptions);

export interface ReaderOptions extends Pick<CoreOptions, "path" | "clockOffsets"> {
  queryMs: number;
}

const ENOUGH_CALLS = 512;
const CALL_MS = 0.01;
const SLOW_COMMIT_MS = 2;
let commitMs = 0;

const port = parentPort;
if (!port) throw new Error("thread.ts runs as a worker thread only");
const data = workerData as ThreadData;
const send = (message: FromThread) => port.postMessage(message);

try {
  if (data.role === "writer") serveWriter(data.options);
  else serveReader(data);
  send({ opened: true });
} catch (error) {
  send({ failed: toErrorData(toAppError(error)) });
}

function serveWriter(options: CoreOptions): void {
  const events = postEvents(send);
  const core = new Core(options, events);
  const caretaker = new Caretaker(core, events);
  receive(
    (calls) => {
      const replies = runGroup(core, calls, events.fatal);
      caretaker.worked();
      return replies;
    },
    () => {
      caretaker.stop();
      core.close();
    },
  );
}

function serveReader({ path, queryMs, clockOffsets }: ReaderOptions): void {
  const view = openView(path, clockOffsets);
  const readings = new ReadQueue(view, queryMs, (number, call, reply) =>
    send({ replies: packReplies([number], [call], [reply]) }),
  );
  port?.on("message", (message: ToThread) => {
    if (message === "close") {
      readings.close();
      view.close();
      send({ closed: true });
      return port?.close();
    }
    const { numbers, calls } = unpackCalls(message.calls);
    for (const [i, call] of calls.entries()) readings.add(numbers[i] as number, call);
  });
}

function receive(run: (calls: Call[]) => CallReply[], close: () => void): void {
  port?.on("message", (first: ToThread) => {
    let closing = first === "close";
    const packed = first === "close" ? [] : first.calls;
    // Calls that have arrived since share this commit. On a slow disk all of them do. On a fast one no more than keep
    // the main loop busy with the answers while the next group runs.
    while (packed.length < ENOUGH_CALLS * 3 || commitMs > SLOW_COMMIT_MS) {
      const more = receiveMessageOnPort(port as never);
      if (!more) break;
      const message = more.message as ToThread;
      if (message === "close") closing = true;
      else for (const part of message.calls) packed.push(part);
    }
    if (packed.length > 0) {
      const { numbers, calls } = unpackCalls(packed);
      const startedAt = performance.now();
      const replies = run(calls);
      commitMs = performance.now() - startedAt - calls.length * CALL_MS;
      send({ replies: packReplies(numbers, calls, replies) });
    }
    if (!closing) return;
    try {
      close();
    } finally {
      send({ closed: true });
      port?.close();
    }
  });
}
