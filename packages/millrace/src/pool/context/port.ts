import type { Written } from "../../job/lease.ts";
import type {
  Artifact,
  Confirmed,
  Note,
  Shared,
  SharedArtifact,
  Step,
  Taken,
  UniqueKeyTaken,
} from "../../store/store.ts";

/**
 * What one attempt asks of the store, with its lease already in hand. `StorePort` asks the store; in a child process the port
 * of child/main.ts asks the parent. So `ctx` works alike in both.
 */
export interface AttemptPort {
  note(note: Note): Promise<Written>;
  confirm(): Promise<Confirmed>;
  storedSteps(): Promise<Step[] | "lease-lost">;
  saveStep(name: string, value: string): Promise<Written>;
  take(limiter: string, cost: number): Promise<Taken>;
  blockLimiter(limiter: string, forMs: number): Promise<Written>;
  keepArtifact(artifact: Artifact): Promise<Written>;
  takeUnique(key: string): Promise<UniqueKeyTaken>;
  share(artifact: SharedArtifact, options: { named: boolean }): Promise<Shared>;
  shared(key: string): Promise<SharedArtifact | undefined>;
}
