// Everything that happens to one job, from the store: so it is the same in every process, and a reader can go on anywhere. The id
// of an event says what its reader has seen: the last log line, the last steps, the signals, and a digest of progress and state.
//
//   l12.s1700000000000:1.g2-5d41402a.p-acbd18db.j-37b51d19

import { createHash } from "node:crypto";
import { FINISHED, type Job } from "../../job/job.ts";
import type { JobFeedEvent } from "../../job/report/feed-event.ts";
import { viewOf } from "../../job/report/view.ts";
import type { Store } from "../../store/store.ts";
import type { Pulse } from "../../store/verbs/streams.ts";
import { checkJobId } from "../job-ids.ts";

const LOG_LINES_AT_ONCE = 500;
const CURSOR = /^l(\d{1,15})\.s(\d{1,15}):(\d{1,9})\.g(\d{1,9})-(\w{0,8})\.p-(\w{0,8})\.j-(\w{0,8})$/;

export interface FeedPage {
  events: (JobFeedEvent & { id: string })[];
  /** Whether the job has ended and all events were read. */
  isEnd: boolean;
}

/** One reader of one job. Its only state is its place. */
export class JobEventReader {
  readonly #store: Store;
  readonly #jobId: string;
  #seen: ReaderPlace;
  #pulse: Pulse | undefined;

  constructor(store: Store, jobId: string, after: string | undefined) {
    this.#store = store;
    this.#jobId = checkJobId(jobId);
    this.#seen = seenOf(after);
  }

  /** Undefined: the job does not exist. */
  async next(): Promise<FeedPage | undefined> {
    // The job is read first. If it has ended by now, everything that is read after it is all there is.
    const [job] = await this.#store.find([this.#jobId]);
    const [pulse] = job ? await this.#store.pulses([this.#jobId]) : [];
    if (!pulse || !job) return undefined;
    const before = this.#pulse;
    const events: FeedPage["events"] = [];
    const add = (event: JobFeedEvent) => events.push({ ...event, id: idOf(this.#seen) });
    let isWhole = true;
    if (pulse.logs !== before?.logs) isWhole = await this.#readLogs(add);
    if (pulse.steps !== before?.steps) await this.#readSteps(add);
    if (pulse.signals !== before?.signals) await this.#readSignals(add);
    const isEnd = isWhole && FINISHED.has(job.standing);
    // The end comes last, after all other events of the job.
    if (isWhole) this.#tellJob(job, add);
    // The next call reads the rest.
    this.#pulse = isWhole ? pulse : undefined;
    return { events, isEnd };
  }

  async #readLogs(add: (event: JobFeedEvent) => void): Promise<boolean> {
    const lines = await this.#store.logs(this.#jobId, { afterId: this.#seen.log, limit: LOG_LINES_AT_ONCE });
    for (const { id, at, level, message, data } of lines) {
      this.#seen.log = id;
      const parsed = data === undefined ? {} : { data: JSON.parse(data) };
      add({ type: "log", line: { id, at: new Date(at).toISOString(), level, message, ...parsed } });
    }
    return lines.length < LOG_LINES_AT_ONCE;
  }

  async #readSteps(add: (event: JobFeedEvent) => void): Promise<void> {
    const { stepsAt, stepsThen } = this.#seen;
    const steps = await this.#store.savedSteps(this.#jobId, stepsAt);
    const isOld = (savedAt: number, i: number) => savedAt === stepsAt && i < stepsThen;
    for (const [i, { stage, name, savedAt }] of steps.entries()) {
      if (isOld(savedAt, i)) continue;
      this.#seen.stepsThen = savedAt === this.#seen.stepsAt ? this.#seen.stepsThen + 1 : 1;
      this.#seen.stepsAt = savedAt;
      add({ type: "step", step: { stage, name, savedAt: new Date(savedAt).toISOString() } });
    }
  }

  /** A signal makes an event when it arrives, and another one when it is taken or set aside. */
  async #readSignals(add: (event: JobFeedEvent) => void): Promise<void> {
    const signals = await this.#store.signals(this.#jobId);
    const states = signals.map(({ state }) => state.charAt(0)).join("");
    const known = digest(states.slice(0, this.#seen.signals)) === this.#seen.signalStates;
    const old = this.#seen.states;
    for (const [i, { name, at, by, state, reason }] of signals.entries()) {
      const isOld = i < this.#seen.signals && (old === undefined ? known : old[i] === states[i]);
      if (isOld) continue;
      this.#seen.signals = Math.max(this.#seen.signals, i + 1);
      this.#seen.signalStates = digest(states.slice(0, this.#seen.signals));
      const more = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
      add({ type: "signal", signal: { number: i + 1, name, at: new Date(at).toISOString(), state, ...more } });
    }
    this.#seen.states = states;
  }

  #tellJob(job: Job, add: (event: JobFeedEvent) => void): void {
    const { payload: _payload, progress, updatedAt: _updatedAt, ...view } = viewOf(job);
    const progressDigest = progress ? digest(JSON.stringify(progress)) : "";
    if (progress && progressDigest !== this.#seen.progress) {
      this.#seen.progress = progressDigest;
      add({ type: "progress", progress });
    }
    const state = digest(JSON.stringify(view));
    if (state !== this.#seen.job) {
      this.#seen.job = state;
      add({ type: "state", job: view });
    }
  }
}

interface ReaderPlace {
  log: number;
  /** When the last reported steps were stored, and how many of that millisecond were reported. */
  stepsAt: number;
  stepsThen: number;
  signals: number;
  signalStates: string;
  /** The first letter of the state of each signal; undefined: only its digest is known. */
  states: string | undefined;
  progress: string;
  job: string;
}

function seenOf(id: string | undefined): ReaderPlace {
  const [, log, stepsAt, stepsThen, signals, signalStates = "", progress = "", job = ""] = CURSOR.exec(id ?? "") ?? [];
  return {
    log: Number(log ?? 0),
    stepsAt: Number(stepsAt ?? 0),
    stepsThen: Number(stepsThen ?? 0),
    signals: Number(signals ?? 0),
    signalStates,
    states: undefined,
    progress,
    job,
  };
}

function idOf({ log, stepsAt, stepsThen, signals, signalStates, progress, job }: ReaderPlace): string {
  return `l${log}.s${stepsAt}:${stepsThen}.g${signals}-${signalStates}.p-${progress}.j-${job}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
