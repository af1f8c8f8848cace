// What happened, as each process saw it: one line per event, appended to a file of its own. A line is one write(2) to an
// append-only file, so that it survives SIGKILL of its writer; only the last line of a file can be torn.

import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

export type Happening =
  | { type: "submit-called"; key: string }
  | { type: "submit-acknowledged"; key: string; jobId: string }
  | { type: "submit-refused"; key: string; code: string }
  | { type: "claimed"; jobId: string; token: number; stage: string }
  | { type: "attempt-started"; jobId: string; token: number; stage: string; attempt: number }
  | { type: "step-ran"; jobId: string; token: number; stage: string; step: string }
  | { type: "step-saved"; jobId: string; token: number; step: string }
  | { type: "settle-called"; jobId: string; token: number; outcome: string }
  | { type: "settled"; jobId: string; token: number; outcome: string; standing: string }
  | { type: "lease-lost"; jobId: string; token: number; verb: string }
  | { type: "lease-expired"; jobId: string }
  | { type: "store-error"; verb: string; code: string; message: string }
  | { type: "fatal"; code: string }
  /** Written by the test: the run named `who` takes work from here on. */
  | { type: "ready"; who: string }
  /** Written by the test: it was told to stop, or stands still. */
  | { type: "halted"; who: string }
  /** Written by the test: it was ended by SIGKILL. */
  | { type: "killed"; who: string };

/** `by` names one run of one process: a restart is another. */
export type Event = Happening & { at: number; by: string };

export class History {
  readonly by: string;
  readonly #file: number;

  constructor(folder: string, by: string) {
    this.by = by;
    this.#file = openSync(join(folder, `${by}.history`), "a");
  }

  append(happening: Happening): void {
    writeSync(this.#file, `${JSON.stringify({ at: Date.now(), by: this.by, ...happening })}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** All events in the order of their clock; within one process in the order they happened. */
export function readHistories(folder: string, only: (by: string) => boolean = () => true): Event[] {
  const names = readdirSync(folder).filter(
    (name) => name.endsWith(".history") && only(name.slice(0, -".history".length)),
  );
  const events = names.flatMap((name) => parseHistory(readFileSync(join(folder, name), "utf8")));
  return events.sort((a, b) => a.at - b.at);
}

export function parseHistory(text: string): Event[] {
  const lines = text.split("\n");
  // Without its newline the last line was cut off by the writer's death.
  lines.pop();
  return lines.map((line) => JSON.parse(line) as Event);
}
