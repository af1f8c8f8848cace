import type { WriteAnswer } from "../../job/lease.ts";
import type { StoredWait } from "../../job/wait.ts";
import type { Artifact, ConfirmAnswer, Note, Step, UniqueKeyAnswer } from "../../store/verbs/attempts.ts";
import type { TakeAnswer } from "../../store/verbs/limiters.ts";
import type { ShareAnswer, SharedArtifact } from "../../store/verbs/sharing.ts";
import type { RaceDecision } from "../../workflow/waits.ts";

/**
 * What one attempt asks of the store, with its lease already in hand. `StorePort` asks the store; in a child process the port
 * of child/main.ts asks the parent. So `ctx` works alike in both.
 */
export interface AttemptPort {
  note(note: Note): Promise<WriteAnswer>;
  confirm(): Promise<ConfirmAnswer>;
  storedSteps(): Promise<Step[] | "lease-lost">;
  saveStep(name: string, value: string): Promise<WriteAnswer>;
  resume(): Promise<StoredWait[] | "lease-lost">;
  setAside(name: string, reason: string): Promise<StoredWait | "lease-lost">;
  decideRace(race: RaceDecision): Promise<WriteAnswer>;
  take(limiter: string, cost: number): Promise<TakeAnswer>;
  blockLimiter(limiter: string, forMs: number): Promise<WriteAnswer>;
  keepArtifact(artifact: Artifact): Promise<WriteAnswer>;
  acquireUnique(key: string): Promise<UniqueKeyAnswer>;
  share(artifact: SharedArtifact, options: { named: boolean }): Promise<ShareAnswer>;
  shared(key: string): Promise<SharedArtifact | undefined>;
}
