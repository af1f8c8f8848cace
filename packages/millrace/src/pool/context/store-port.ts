import { setTimeout as delay } from "node:timers/promises";
import type { Lease } from "../../job/lease.ts";
import { AppError } from "../../lib/app-error.ts";
import { retry } from "../../lib/growing-pause.ts";
import type { Store } from "../../store/store.ts";
import type { NewArtifact, Note, StepExtras } from "../../store/verbs/attempts.ts";
import type { ChildReadOptions, ChildWaitName, NewChildren } from "../../store/verbs/children.ts";
import type { SharedArtifact } from "../../store/verbs/sharing.ts";
import type { StreamWrite } from "../../store/verbs/streams.ts";
import type { RaceDecision } from "../../workflow/waits.ts";
import type { AttemptPort, TransactionPort } from "./port.ts";

const SUSPENSION_STORED_MS = 10_000;
const LOOK_AGAIN_MS = 20;
const PAUSES = { firstMs: 50, longestMs: 1_000 };
/** As long as a database takes to fail over. After that the attempt fails, and is retried later. */
const PATIENCE_MS = 60_000;

export interface PortListeners {
  /** Progress and log lines go to the store. */
  onNote(note: Note): void;
  /** Something about the job was stored that people may watch: progress, log lines, a step, chunks of a stream. */
  onWritten(): void;
}

/** The store with a lease in hand. */
export class StorePort implements AttemptPort {
  readonly #store: Store;
  readonly #lease: Lease;
  readonly #listeners: PortListeners;
  readonly #resultOf: TransactionPort["resultOf"];

  /** `resultOf`: checks a value that is to complete the stage. Default: the value is the result. */
  constructor(
    store: Store,
    lease: Lease,
    listeners: PortListeners,
    resultOf: TransactionPort["resultOf"] = (value) => value,
  ) {
    this.#store = store;
    this.#lease = lease;
    this.#listeners = listeners;
    this.#resultOf = resultOf;
  }

  /** These calls are not repeated, because an error aborts the transaction of the application. */
  get transactions(): TransactionPort {
    return {
      areInStore: this.#store.takesTransactions === true,
      saveStep: (tx, step) => this.#told(this.#store.saveStepWithin(tx, this.#lease, step)),
      settled: (isCommitted) => this.#store.endStepWithin(this.#lease, isCommitted),
      resultOf: this.#resultOf,
    };
  }

  /** A note is not repeated, because log lines that may have arrived would be stored twice. */
  note(note: Note) {
    this.#listeners.onNote(note);
    return this.#told(this.#store.note(this.#lease, note));
  }

  confirm() {
    return patiently(() => this.#store.confirm(this.#lease));
  }

  storedSteps() {
    return patiently(() => this.#store.storedSteps(this.#lease));
  }

  firstJob() {
    return patiently(() => this.#store.firstJob(this.#lease));
  }

  saveStep(name: string, value: string, more?: StepExtras) {
    return this.#told(patiently(() => this.#store.saveStep(this.#lease, name, value, more)));
  }

  openStreams() {
    return patiently(() => this.#store.openStreams(this.#lease));
  }

  appendStreams(write: StreamWrite) {
    return this.#told(patiently(() => this.#store.appendStreams(this.#lease, write)));
  }

  beginUndoable() {
    return patiently(() => this.#store.beginUndoable(this.#lease));
  }

  undosLeft() {
    return patiently(() => this.#store.undosLeft(this.#lease));
  }

  resume() {
    return patiently(() => this.#store.resume(this.#lease));
  }

  /** The suspension of the attempt may be on its way to the store. */
  async wakeLate(call: string) {
    const until = performance.now() + SUSPENSION_STORED_MS;
    for (;;) {
      const answer = await patiently(() => this.#store.wakeLate(this.#lease, call));
      if (answer !== "running" || performance.now() > until) return answer;
      await delay(LOOK_AGAIN_MS);
    }
  }

  /** This is not repeated, because a second call would set the next signal aside. */
  setAside(name: string, reason: string) {
    return this.#store.setAside(this.#lease, name, reason);
  }

  decideRace(race: RaceDecision) {
    return patiently(() => this.#store.decideRace(this.#lease, race));
  }

  startChildren(children: NewChildren) {
    return patiently(() => this.#store.startChildren(this.#lease, children));
  }

  childEnds(wait: ChildWaitName, options: ChildReadOptions) {
    return patiently(() => this.#store.childEnds(this.#lease, wait, options));
  }

  dependencies(options: ChildReadOptions) {
    return patiently(() => this.#store.dependencies(this.#lease, options));
  }

  take(limiter: string, cost: number) {
    return patiently(() => this.#store.take(this.#lease, limiter, cost));
  }

  blockLimiter(limiter: string, forMs: number) {
    return patiently(() => this.#store.blockLimiter(this.#lease, limiter, forMs));
  }

  keepArtifact(artifact: NewArtifact) {
    return patiently(() => this.#store.keepArtifact(this.#lease, artifact));
  }

  acquireUnique(key: string) {
    return patiently(() => this.#store.acquireUnique(this.#lease, key));
  }

  share(artifact: SharedArtifact, options: { named: boolean }) {
    return patiently(() => this.#store.share(this.#lease, artifact, options));
  }

  shared(key: string) {
    return patiently(() => this.#store.shared(key));
  }

  /** Readers of the job in this process look at once. */
  #told<T>(written: Promise<T>): Promise<T> {
    written.then(
      () => this.#listeners.onWritten(),
      () => {},
    );
    return written;
  }
}

/**
 * Asks a store that is away for the moment again: an attempt should not count as failed because the database was restarted
 * under it. Only for calls that may be repeated, since the answer may be all that was lost.
 */
function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const mayRetry = (error: unknown) =>
    error instanceof AppError && error.code === "store-unavailable" && performance.now() - startedAt <= PATIENCE_MS;
  return retry(ask, PAUSES, mayRetry);
}
