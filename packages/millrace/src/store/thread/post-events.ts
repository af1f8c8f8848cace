import { toErrorData } from "../../lib/app-error.ts";
import type { StoreEvents } from "../store.ts";
import type { FromThread } from "./store-thread.ts";

/** The events of a store inside its thread: each becomes a message to the main thread. */
export function postEvents(send: (message: FromThread) => void): Required<StoreEvents> {
  return {
    wake: () => send({ event: "wake", data: undefined }),
    lost: (leases) => send({ event: "lost", data: leases }),
    streamed: (jobIds) => send({ event: "streamed", data: jobIds }),
    expired: (jobs) => send({ event: "expired", data: jobs }),
    trouble: (message) => send({ event: "trouble", data: message }),
    conditions: (conditions) => send({ event: "conditions", data: conditions }),
    fatal: (error) => send({ event: "fatal", data: toErrorData(error) }),
  };
}
