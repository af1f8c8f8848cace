import type { Events } from "../../events/events.ts";
import type { Kind, Stage } from "../../job/kind/kind.ts";
import type { AnyMiddleware } from "../../job/kind/middleware.ts";
import type { ClaimedJob } from "../../job/lease.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { Note } from "../../store/verbs/attempts.ts";
import type { Log } from "../../telemetry/log/log.ts";
import type { OnOutput } from "../child/output.ts";
import { ChildRunner } from "../child/runner.ts";
import { emitProgress } from "../progress.ts";
import type { AttemptRunner } from "../runner.ts";
import { InlineRunner } from "./inline-runner.ts";
import { withMiddleware } from "./middleware.ts";
import { undoProcessor } from "./undo.ts";

export interface RunnerForOptions {
  store: Store;
  clock: Clock;
  log: Log;
  events: Events;
  output: OnOutput;
  /** Middleware of the engine, outside that of the kind and the stage. */
  use: readonly AnyMiddleware[];
  /** false: the process may end while children live. */
  timers: boolean;
  /** The module of an isolated stage loads again: there may be work to claim. */
  onMended: () => void;
}

/** In this process or in child processes, as the stage says. */
export function runnerFor(kind: Kind, stage: Stage, options: RunnerForOptions): AttemptRunner {
  const { store, clock, log, events, output, timers, onMended } = options;
  const names = { kind: kind.name, stage: stage.name };
  const onNote = (job: ClaimedJob, note: Note) => emitProgress(job, note, { names, events, clock });
  const onWritten = (jobId: string) => events.emit({ type: "written", jobId });
  const use = [...options.use, ...kind.use, ...(stage.use ?? [])];
  const { work } = stage;
  const listeners = { onNote, onWritten };
  if (work.in === "here") {
    const undo = withMiddleware(use, undoProcessor(stage.undo));
    return new InlineRunner({ kind, stage, run: withMiddleware(use, work.run), undo, store, ...listeners });
  }
  const child = { kind, stage, module: work.module, store, log, output, isWaitedFor: timers, use };
  return new ChildRunner({ ...child, ...listeners, onMended });
}
