import type { Lease } from "../../job/lease.ts";
import { AppError } from "../../lib/app-error.ts";
import { retry } from "../../lib/growing-pause.ts";
import type { Store } from "../../store/store.ts";
import type { Artifact, Note } from "../../store/verbs/attempts.ts";
import type { SharedArtifact } from "../../store/verbs/sharing.ts";
import type { RaceDecision } from "../../workflow/waits.ts";
import type { AttemptPort } from "./port.ts";

const PAUSES = { firstMs: 50, longestMs: 1_000 };
/** As long as a database takes to fail over. After that the attempt fails, and is tried again later. */
const PATIENCE_MS = 60_000;

/** The store with a lease in hand. */
export class StorePort implements AttemptPort {
  readonly #store: Store;
  readonly #lease: Lease;
  readonly #onNote: (note: Note) => void;

  constructor(store: Store, lease: Lease, onNote: (note: Note) => void) {
    this.#store = store;
    this.#lease = lease;
    this.#onNote = onNote;
  }

  /** Not repeated: log lines that may have arrived would be stored twice. */
  note(note: Note) {
    this.#onNote(note);
    return this.#store.note(this.#lease, note);
  }

  confirm() {
    return patiently(() => this.#store.confirm(this.#lease));
  }

  storedSteps() {
    return patiently(() => this.#store.storedSteps(this.#lease));
  }

  saveStep(name: string, value: string) {
    return patiently(() => this.#store.saveStep(this.#lease, name, value));
  }

  resume() {
    return patiently(() => this.#store.resume(this.#lease));
  }

  /** Not repeated: a second call would set the next signal aside. */
  setAside(name: string, reason: string) {
    return this.#store.setAside(this.#lease, name, reason);
  }

  decideRace(race: RaceDecision) {
    return patiently(() => this.#store.decideRace(this.#lease, race));
  }

  take(limiter: string, cost: number) {
    return patiently(() => this.#store.take(this.#lease, limiter, cost));
  }

  blockLimiter(limiter: string, forMs: number) {
    return patiently(() => this.#store.blockLimiter(this.#lease, limiter, forMs));
  }

  keepArtifact(artifact: Artifact) {
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
