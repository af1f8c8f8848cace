import { parentPort } from "node:worker_threads";
import { toErrorData } from "millrace/processor";
import type { OffLoopReply, Verbs } from "./off-loop.ts";

/** The thread's side of `OffLoop`: answers each call with what the function returns or throws. */
export function serveOffLoop(verbs: Verbs): void {
  const answer = (message: OffLoopReply) => parentPort?.postMessage(message);
  parentPort?.on("message", async ({ verb, args }: { verb: string; args: unknown[] }) => {
    try {
      answer({ ok: await verbs[verb]?.(...args) });
    } catch (error) {
      answer({ error: toErrorData(error) });
    }
  });
}
