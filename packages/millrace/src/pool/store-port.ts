import type { Lease } from "../job/lease.ts";
import type { Artifact, Note, SharedArtifact, Store } from "../store/store.ts";
import type { AttemptPort } from "./context.ts";
import { patiently } from "./patience.ts";

/** The store with a lease already in hand. */
export class StorePort implements AttemptPort {
  readonly #store: Store;
  readonly #lease: Lease;
  readonly #onNote: (note: Note) => void;

  constructor(store: Store, lease: Lease, onNote: (note: Note) => void) {
    this.#store = store;
    this.#lease = lease;
    this.#onNote = onNote;
  }

  /** Words that may have arrived are not said twice. */
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

  take(limiter: string, cost: number) {
    return patiently(() => this.#store.take(this.#lease, limiter, cost));
  }

  blockLimiter(limiter: string, forMs: number) {
    return patiently(() => this.#store.blockLimiter(this.#lease, limiter, forMs));
  }

  keepArtifact(artifact: Artifact) {
    return patiently(() => this.#store.keepArtifact(this.#lease, artifact));
  }

  takeUnique(key: string) {
    return patiently(() => this.#store.takeUnique(this.#lease, key));
  }

  share(artifact: SharedArtifact, options: { named: boolean }) {
    return patiently(() => this.#store.share(this.#lease, artifact, options));
  }

  shared(key: string) {
    return patiently(() => this.#store.shared(key));
  }
}
