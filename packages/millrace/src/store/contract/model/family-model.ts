// THE MODEL of a family: a parent with children and steps that can be undone, and a batch beside it. In memory and as plainly as can be.

export type MemberState = "ready" | "running" | "completed" | "failed" | "cancelled";

export interface ModelMember {
  jobId: string;
  /** A child of the parent, or a member of the batch. */
  role: "child" | "batch";
  state: MemberState;
  /** Its parent does not need it any more. It is cancelled soon, unless it ends before. */
  isDoomed: boolean;
}

type ParentState = "running" | "waiting" | "ready" | "completed" | "failed" | "cancelled";

export class FamilyModel {
  readonly members: ModelMember[] = [];
  parent: ParentState = "running";
  mode: "fail" | "collect" | undefined;
  /** Children that failed or were cancelled, in this order. */
  readonly failures: ModelMember[] = [];
  /** The names of steps, the first to be undone first. */
  readonly undos: string[] = [];
  undoing: "failed" | "cancelled" | undefined;
  isSealed = false;

  of(role: ModelMember["role"]): ModelMember[] {
    return this.members.filter((member) => member.role === role);
  }

  add(role: ModelMember["role"], jobIds: readonly string[]): void {
    for (const jobId of jobIds) this.members.push({ jobId, role, state: "ready", isDoomed: false });
  }

  /** The wait for the children has its answer. */
  get isJoined(): boolean {
    return (this.mode === "fail" && this.failures.length > 0) || this.of("child").every(hasEnded);
  }

  get isClaimable(): boolean {
    return this.parent === "ready" || (this.parent === "waiting" && this.isJoined);
  }

  get hasEnded(): boolean {
    return this.parent !== "running" && this.parent !== "waiting" && this.parent !== "ready";
  }

  end(member: ModelMember, state: MemberState): void {
    member.state = state;
    if (member.role !== "child" || state === "completed" || member.isDoomed) return;
    this.failures.push(member);
    if (this.mode === "fail") this.#doomChildren();
  }

  /** The parent fails or is cancelled: what it did is undone first. */
  fall(because: "failed" | "cancelled"): void {
    this.#doomChildren();
    if (this.undos.length === 0) {
      this.parent = because;
      return;
    }
    this.undoing = because;
    this.parent = "ready";
  }

  /** True: the callback of the batch was submitted. */
  get isBatchOver(): boolean {
    return this.isSealed && this.of("batch").every(hasEnded);
  }

  get batchCounts(): { total: number; completed: number; failed: number; cancelled: number } {
    const count = (state: MemberState) => this.of("batch").filter((member) => member.state === state).length;
    const total = this.of("batch").length;
    return { total, completed: count("completed"), failed: count("failed"), cancelled: count("cancelled") };
  }

  #doomChildren(): void {
    for (const child of this.of("child")) if (!hasEnded(child)) child.isDoomed = true;
  }
}

export function hasEnded({ state }: ModelMember): boolean {
  return state !== "ready" && state !== "running";
}
