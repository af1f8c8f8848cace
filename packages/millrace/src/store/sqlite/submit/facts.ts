import type { Pace } from "../../../job/kind/pace.ts";
import { SUSPECT } from "../../codes.ts";
import { type LimitsInForce, limitsInForce } from "../../decide/limits/in-force.ts";
import type { KeyOwner } from "../../decide/refusals.ts";
import type { KnownAnswer, SubmissionFacts } from "../../decide/submission.ts";
import { liftDue, nextDueAt } from "../claim/claim-due.ts";
import type { Core } from "../core.ts";
import { findFollower, findUnclaimed } from "../followers/follower.ts";
import { findRow } from "../read/row.ts";
import type { StageRow } from "../register/names.ts";
import { twinOf } from "../register/twin.ts";
import { isShared } from "../sharing/share.ts";
import { findThrottled } from "./throttle.ts";
import { findUnique } from "./unique-key.ts";
import { submitLimit, windowFreeAt, windowRoom } from "./window.ts";

const FIND_IDEMPOTENT = "SELECT fingerprint, jobs, created_at FROM idempotency WHERE tenant = ? AND key = ?";
const TENANT_RUNNING = "SELECT running FROM tenant WHERE id = ?";
/** This order of the joins reads the lanes of the tenant only, and not those of all tenants. */
const TENANT_QUEUE = `SELECT coalesce(sum(lane.ready + (
    SELECT count(*) FROM job INDEXED BY job_suspect WHERE standing = ${SUSPECT} AND stage = lane.stage AND tenant = lane.tenant
  )), 0) AS waiting
  FROM lane CROSS JOIN stage ON stage.id = lane.stage
  WHERE lane.tenant = ?3 AND stage.kind = ?1 AND stage.name = ?2`;
const STAGE_QUEUE = `SELECT sum(ready + suspect) AS waiting FROM stage WHERE kind = ? AND name = ?`;

/**
 * The facts of one submission, each read when it is needed. No other process writes in this transaction. A live job is
 * named by its key.
 */
export class Facts implements SubmissionFacts<number> {
  readonly now: number;
  readonly limits: LimitsInForce;
  readonly #core: Core;
  readonly #tenant: number;
  readonly #endingJob: number | undefined;
  #queueIsLifted = false;

  /** `endingJob`: the key of a job that the same commit ends. */
  constructor(core: Core, tenant: number, { endingJob }: { endingJob?: number } = {}) {
    this.#core = core;
    this.#tenant = tenant;
    this.#endingJob = endingJob;
    this.now = core.clock.now();
    core.names.refresh();
    this.limits = limitsInForce(core.options.limits, core.names.ownLimits.of(tenant));
  }

  get isDiskFull(): boolean {
    return this.#core.room.full;
  }

  get idempotentSince(): number {
    return this.#core.ages.before(this.#core.options.limits.idempotencyMs);
  }

  firstAnswer(key: string): KnownAnswer | undefined {
    const row = this.#core.statement(FIND_IDEMPOTENT).get(this.#tenant, key) as
      | { fingerprint: string; jobs: string; created_at: number }
      | undefined;
    return row && { fingerprint: row.fingerprint, first: JSON.parse(row.jobs), at: row.created_at };
  }

  firstStage(kind: string, flags = 0): StageRow | undefined {
    const stage = this.#core.names.firstStage(kind);
    return stage && flags !== 0 ? twinOf(this.#core, stage) : stage;
  }

  isShared(key: string): boolean {
    return isShared(this.#core, key);
  }

  liveJob(kind: number, uniqueKey: string): number | undefined {
    return findUnique(this.#core, kind, this.#tenant, uniqueKey);
  }

  follower(kind: number, uniqueKey: string): number | undefined {
    return findFollower(this.#core, kind, this.#tenant, uniqueKey);
  }

  unclaimed(kind: number, uniqueKey: string): number | undefined {
    return findUnclaimed(this.#core, kind, this.#tenant, uniqueKey);
  }

  throttled(kind: number, key: string): number | undefined {
    return findThrottled(this.#core, { kind, tenant: this.#tenant, key }, this.now);
  }

  isEnding(key: number): boolean {
    return key === this.#endingJob;
  }

  ownerOf(key: number): KeyOwner {
    return keyOwner(this.#core, key);
  }

  newJobs() {
    const { limits, now } = this;
    const limit = submitLimit(this.#tenant, limits.rate as Pace);
    return {
      room: windowRoom(this.#core, limit, now),
      freeAt: (count: number) => windowFreeAt(this.#core, limit, now, count),
    };
  }

  running(): number {
    this.#core.counts.flush();
    return (this.#core.statement(TENANT_RUNNING).get(this.#tenant) as { running: number }).running;
  }

  isOrdered(stage: StageRow): boolean {
    return this.#core.names.isOrdered(stage);
  }

  waiting({ kind, name }: StageRow): number {
    this.#liftQueue();
    if (this.limits.own.queueMax !== undefined) {
      return (this.#core.statement(TENANT_QUEUE).get(kind, name, this.#tenant) as { waiting: number }).waiting;
    }
    return (this.#core.statement(STAGE_QUEUE).get(kind, name) as { waiting: number }).waiting;
  }

  /** A due job takes room in the queue even if no process claims it. */
  #liftQueue(): void {
    if (this.#queueIsLifted) return;
    this.#queueIsLifted = true;
    if ((nextDueAt(this.#core) ?? Number.POSITIVE_INFINITY) <= this.now) liftDue(this.#core, this.now);
    this.#core.counts.flush();
  }
}

export function keyOwner(core: Core, key: number): KeyOwner {
  const row = findRow(core, key);
  if (!row) throw new Error(`unique key of a job that is gone: ${key}`);
  return { jobId: core.ids.encode(key), standing: row.standing, stage: core.names.stage(row.stage) };
}
