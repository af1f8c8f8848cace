import type { WriteAnswer } from "../../job/lease.ts";
import type { StoredWait } from "../../job/wait.ts";
import type {
  ConfirmAnswer,
  NewArtifact,
  Note,
  Step,
  StepExtras,
  UndoStep,
  UniqueKeyAnswer,
} from "../../store/verbs/attempts.ts";
import type { CallerTransaction } from "../../store/verbs/caller-transaction.ts";
import type { ChildEnds, ChildReadOptions, ChildWaitName, NewChildren } from "../../store/verbs/children.ts";
import type { LimiterAnswer } from "../../store/verbs/limiters.ts";
import type { ShareAnswer, SharedArtifact } from "../../store/verbs/sharing.ts";
import type { OpenStream, StreamWrite, StreamWriteAnswer } from "../../store/verbs/streams.ts";
import type { StepWithin, StepWithinAnswer } from "../../store/verbs/within.ts";
import type { RaceDecision } from "../../workflow/waits.ts";

/**
 * What one attempt asks of the store, with its lease already in hand. `StorePort` asks the store; in a child process the port
 * of child/main.ts asks the parent. So `ctx` works alike in both.
 */
export interface AttemptPort {
  note(note: Note): Promise<WriteAnswer>;
  confirm(): Promise<ConfirmAnswer>;
  storedSteps(): Promise<Step[] | "lease-lost">;
  firstJob(): Promise<string | "lease-lost">;
  saveStep(name: string, value: string, more?: StepExtras): Promise<ConfirmAnswer>;
  beginUndoable(): Promise<WriteAnswer>;
  undosLeft(): Promise<UndoStep[] | "lease-lost">;
  resume(): Promise<StoredWait[] | "lease-lost">;
  wakeLate(call: string): Promise<WriteAnswer | "running">;
  setAside(name: string, reason: string): Promise<StoredWait | "lease-lost">;
  decideRace(race: RaceDecision): Promise<WriteAnswer>;
  startChildren(children: NewChildren): Promise<StoredWait | "lease-lost">;
  childEnds(wait: ChildWaitName, options: ChildReadOptions): Promise<ChildEnds | "lease-lost">;
  dependencies(options: ChildReadOptions): Promise<ChildEnds | "lease-lost">;
  take(limiter: string, cost: number): Promise<LimiterAnswer>;
  openStreams(): Promise<OpenStream[] | "lease-lost">;
  appendStreams(write: StreamWrite): Promise<StreamWriteAnswer>;
  blockLimiter(limiter: string, forMs: number): Promise<WriteAnswer>;
  keepArtifact(artifact: NewArtifact): Promise<WriteAnswer>;
  acquireUnique(key: string): Promise<UniqueKeyAnswer>;
  share(artifact: SharedArtifact, options: { named: boolean }): Promise<ShareAnswer>;
  shared(key: string): Promise<SharedArtifact | undefined>;
  /**
   * The transactions. Missing where the processor runs in a process of its own, which cannot hand its transactions
   * over.
   */
  readonly transactions?: TransactionPort;
}

/** Steps that are stored in transactions of the application. */
export interface TransactionPort {
  /** True: in the database of the store. False: beside it, in the table `millrace_step` of the application's own database. */
  readonly areInStore: boolean;
  saveStep(tx: CallerTransaction, step: StepWithin): Promise<StepWithinAnswer>;
  /** Call this when the transaction that was to settle the attempt has ended. */
  settled(isCommitted: boolean): Promise<void>;
  /** The result of the stage, from the value that completes it. Throws what the attempt would fail with. */
  resultOf(value: string): string | Promise<string>;
}
