import { READY, RUNNING, SUSPECT } from "../../codes.ts";
import type { Core } from "../core.ts";

const COUNT_STAGE = `UPDATE stage SET scheduled = scheduled + ?, ready = ready + ?, suspect = suspect + ?, held = held + ?,
  running = running + ?, completed = completed + ?, failed = failed + ?, rejected = rejected + ?, cancelled = cancelled + ?
  WHERE id = ?`;
const COUNT_LANE = "UPDATE lane SET ready = ready + ?, turn = coalesce(?, turn) WHERE stage = ? AND tenant = ?";
const ADD_LANE = "INSERT INTO lane (ready, turn, stage, tenant) VALUES (?, coalesce(?, 0), ?, ?)";
const COUNT_TENANT = "UPDATE tenant SET running = running + ? WHERE id = ? RETURNING running";
const IS_AT_CAP = "coalesce(max_running, ?1) > 0 AND running >= coalesce(max_running, ?1)";
const TENANT_AT_CAP = `SELECT ${IS_AT_CAP} AS at_cap FROM tenant WHERE id = ?2`;
const BLOCK_LANES = "UPDATE lane SET blocked = ?1 WHERE tenant = ?2 AND blocked <> ?1";
const BLOCK_ALL = `UPDATE lane SET blocked = (SELECT ${IS_AT_CAP} FROM tenant WHERE tenant.id = lane.tenant)`;

/** A tenant and a stage in one number, as key of a map. */
const LANE = 2 ** 32;

/**
 * How many jobs stand where. Every write says what it moved; the sums are written once per transaction, so that a
 * batch of 500 costs one update of each counter, and in the same commit as the jobs, so that they cannot differ.
 */
export class Counts {
  readonly #core: Core;
  #stages = new Map<number, number[]>();
  #lanes = new Map<number, number>();
  #tenants = new Map<number, number>();
  #turns = new Map<number, number>();
  #queuesTouched = false;

  constructor(core: Core) {
    this.#core = core;
  }

  enter(stage: number, tenant: number, standing: number): void {
    this.#add(stage, tenant, standing, 1);
  }

  leave(stage: number, tenant: number, standing: number): void {
    this.#add(stage, tenant, standing, -1);
  }

  move(stage: number, tenant: number, from: number, to: number): void {
    this.#add(stage, tenant, from, -1);
    this.#add(stage, tenant, to, 1);
  }

  #add(stage: number, tenant: number, standing: number, by: number): void {
    let counts = this.#stages.get(stage);
    if (!counts) {
      counts = [0, 0, 0, 0, 0, 0, 0, 0, 0];
      this.#stages.set(stage, counts);
    }
    counts[standing] = (counts[standing] as number) + by;
    if (standing <= SUSPECT) this.#queuesTouched = true;
    if (standing === READY) {
      const lane = stage * LANE + tenant;
      this.#lanes.set(lane, (this.#lanes.get(lane) ?? 0) + by);
    } else if (standing === RUNNING) {
      this.#tenants.set(tenant, (this.#tenants.get(tenant) ?? 0) + by);
    }
  }

  /**
   * Moves a lane that was served to the back. Its turn is written together with its count, which the claimed jobs have
   * changed too.
   */
  served(stage: number, tenant: number, turn: number): void {
    this.#turns.set(stage * LANE + tenant, turn);
  }

  /** Call this before a claim looks. Settlements of the same transaction do not change the queues. */
  flushQueues(): void {
    if (this.#queuesTouched || this.#hasCaps) this.flush();
  }

  /** Writes what was counted so far. */
  flush(): void {
    if (this.#stages.size === 0) return;
    const core = this.#core;
    for (const [stage, counts] of this.#stages) core.statement(COUNT_STAGE).run(...counts, stage);
    for (const [lane, ready] of this.#lanes) {
      const bound = [ready, this.#turns.get(lane) ?? null, Math.floor(lane / LANE), lane % LANE] as const;
      const { changes } = core.statement(COUNT_LANE).run(...bound);
      if (Number(changes) === 0) core.statement(ADD_LANE).run(...bound);
    }
    for (const [tenant, running] of this.#tenants) core.statement(COUNT_TENANT).run(running, tenant);
    // Another process has set a limit, and a lane must not stay blocked because this process did not know of it.
    core.names.refresh();
    if (this.#hasCaps) this.#blockLanesAtCap();
    this.reset();
  }

  get #hasCaps(): boolean {
    return this.#core.options.limits.maxConcurrentPerTenant > 0 || this.#core.names.ownLimits.hasConcurrency;
  }

  /** A tenant at its cap has its lanes taken out of the turn, and put back when it has room. */
  #blockLanesAtCap(): void {
    const touched = new Set(this.#tenants.keys());
    for (const lane of this.#lanes.keys()) touched.add(lane % LANE);
    for (const tenant of touched) this.blockLanes(tenant);
  }

  blockLanes(tenant: number): void {
    const { maxConcurrentPerTenant } = this.#core.options.limits;
    const { at_cap } = this.#core.statement(TENANT_AT_CAP).get(maxConcurrentPerTenant, tenant) as { at_cap: number };
    this.#core.statement(BLOCK_LANES).run(at_cap, tenant);
  }

  reset(): void {
    this.#stages.clear();
    this.#lanes.clear();
    this.#tenants.clear();
    this.#turns.clear();
    this.#queuesTouched = false;
  }

  /** The cap is a setting, so it may differ from the one before the last stop. */
  recheckBlockedLanes(): void {
    this.#core.statement(BLOCK_ALL).run(this.#core.options.limits.maxConcurrentPerTenant);
  }
}
