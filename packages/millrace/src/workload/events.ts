// Events of workloads on the live feed: declared, checked, and under the name of their workload.

import type { Schema } from "../api/route.ts";
import { AppError } from "../lib/app-error.ts";
import type { Log } from "../telemetry/log/log.ts";
import type { RouteSetup, Workload } from "./workload.ts";

type Emit = RouteSetup["emit"];

/** An event carries the name of its workload, so that two of them never mean the same word. */
export function eventsOfAll(workloads: readonly Workload[]): Record<string, Schema> {
  return Object.fromEntries(
    workloads.flatMap(({ name, events = {} }) =>
      Object.entries(events).map(([event, schema]) => [`${name}.${event}`, schema] as const),
    ),
  );
}

/** Undeclared events are mistakes of the code. Data that does not fit is dropped: the request it comes from has done its work. */
export function emitterOf({ name, events = {} }: Workload, emit: Emit, log: Log): Emit {
  return (event, data, about) => {
    const schema = Object.hasOwn(events, event) ? events[event] : undefined;
    if (!schema) {
      throw new AppError("workload-invalid", `The workload "${name}" sends the undeclared event "${event}".`, {
        hint: `Declare it: events: { ${JSON.stringify(event)}: schema }.`,
      });
    }
    const checked = schema["~standard"].validate(data);
    // A promise has checked nothing yet, and the feed does not wait for it.
    if (!(checked instanceof Promise) && checked.issues) {
      const problem = checked.issues.map(({ message }) => message).join("; ");
      log.error("event dropped", { feedEvent: `${name}.${event}`, problem });
      return;
    }
    emit(`${name}.${event}`, data, about);
  };
}
