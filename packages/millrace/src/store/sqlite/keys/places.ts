// The places of jobs at their concurrency keys. Only the jobs that hold their key are ready, so a claim looks at no key at all, and
// costs the same with one key as with 100,000. Keys that may have room are looked at once, before the commit or a claim.

import { isSuspect } from "../../../job/crash.ts";
import { READY, SCHEDULED, SUSPECT } from "../../codes.ts";
import { jobsPerKey } from "../../decide/attempt/keys.ts";
import { HOLDS_KEY, needsKey } from "../../keys/codes.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { NEVER } from "../../waits/codes.ts";
import type { Core } from "../core.ts";

const ARRIVED = `SELECT id, stage, tenant, standing, flags, priority, run_at, concurrency_key AS key FROM job WHERE id = ?`;
const ADD = `INSERT OR IGNORE INTO place (job, kind, tenant, key, holds, priority, at) VALUES (?, ?, ?, ?, 0, ?, ?)`;
const PARK = `UPDATE job SET run_at = ${NEVER} WHERE id = ? AND flags & ${HOLDS_KEY} = 0`;
const HOLDERS = "SELECT count(*) AS count FROM place WHERE kind = ? AND tenant = ? AND key = ? AND holds = 1";
const NEXT = `SELECT place.job AS id, place.at, stage, job.tenant, crashes FROM place JOIN job ON job.id = place.job
  WHERE place.kind = ? AND place.tenant = ? AND place.key = ? AND holds = 0 ORDER BY place.priority, place.id LIMIT ?`;
const HOLD = "UPDATE place SET holds = 1 WHERE job = ?";
const ADMIT = `UPDATE job SET standing = ?, run_at = ?, flags = flags | ${HOLDS_KEY} WHERE id = ?`;
const LEAVE = "DELETE FROM place WHERE job = ? RETURNING kind, tenant, key";
const PASS = "UPDATE place SET job = ?2 WHERE job = ?1";
const WAITED_FOR = "SELECT DISTINCT kind, tenant, key FROM place WHERE holds = 0 AND kind = ?";
const WITHOUT_HOLDER = `SELECT DISTINCT kind, tenant, key FROM place WHERE holds = 0 AND NOT EXISTS (SELECT 1 FROM place AS held
  WHERE held.kind = place.kind AND held.tenant = place.tenant AND held.key = place.key AND held.holds = 1)`;

interface Key {
  kind: number;
  tenant: number;
  key: string;
}

type Arrival = Pick<JobRow, "id" | "stage" | "tenant" | "standing" | "flags" | "priority" | "run_at"> & { key: string };
type WaitingJob = Pick<JobRow, "id" | "stage" | "tenant" | "crashes"> & { at: number };

export class Places {
  readonly #core: Core;
  #arrived: number[] = [];
  #looks = new Map<string, Key>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The job is due and needs its key. It stands scheduled until `settle()`. */
  arrive(job: number): void {
    this.#arrived.push(job);
  }

  /** The job gives its key back, or waits for it no more. */
  leave(job: number): void {
    const key = this.#core.statement(LEAVE).get(job) as Key | undefined;
    if (key) this.#look(key);
  }

  /** Another job goes on in the place of the first. */
  pass(from: number, to: number): void {
    this.#core.statement(PASS).run(from, to);
  }

  /** The kind allows more or fewer jobs per key than before. */
  lookAtAll(kind: number): void {
    for (const key of this.#core.statement(WAITED_FOR).all(kind) as unknown as Key[]) this.#look(key);
  }

  /** In a copy of a PostgreSQL store, keys can be free that jobs wait for. */
  lookAtFree(): void {
    for (const key of this.#core.statement(WITHOUT_HOLDER).all() as unknown as Key[]) this.#look(key);
  }

  #look(key: Key): void {
    this.#looks.set(JSON.stringify([key.kind, key.tenant, key.key]), key);
  }

  reset(): void {
    if (!this.#isDirty) return;
    this.#arrived = [];
    this.#looks.clear();
  }

  get #isDirty(): boolean {
    return this.#arrived.length > 0 || this.#looks.size > 0;
  }

  /** Gives keys with room to the jobs that wait for them, first come, first served. */
  settle(): void {
    if (!this.#isDirty) return;
    const now = this.#core.clock.now();
    const arrived = this.#arrived.filter((job) => this.#takePlace(job));
    for (const key of this.#looks.values()) this.#admit(key, now);
    for (const job of arrived) this.#core.statement(PARK).run(job);
    this.reset();
    this.#core.wakePools();
  }

  #takePlace(job: number): boolean {
    const core = this.#core;
    const row = core.statement(ARRIVED).get(job) as unknown as Arrival | undefined;
    if (!row || row.standing !== SCHEDULED || !needsKey(row.flags)) return false;
    const key = { kind: core.names.stage(row.stage).kind, tenant: row.tenant, key: row.key };
    core.statement(ADD).run(row.id, key.kind, key.tenant, key.key, row.priority, row.run_at);
    this.#look(key);
    return true;
  }

  #admit(key: Key, now: number): void {
    const core = this.#core;
    const values = [key.kind, key.tenant, key.key] as const;
    const { count } = core.statement(HOLDERS).get(...values) as { count: number };
    const room = jobsPerKey(core.names.rules(key.kind)) - count;
    if (room <= 0) return;
    for (const job of core.statement(NEXT).all(...values, room) as unknown as WaitingJob[]) {
      const standing = isSuspect(job) ? SUSPECT : READY;
      core.statement(HOLD).run(job.id);
      // The turn of a key ends with its job: the next one queues behind the jobs of other keys.
      core.statement(ADMIT).run(standing, job.at < 0 ? job.at : now, job.id);
      core.counts.move(job.stage, job.tenant, SCHEDULED, standing);
    }
  }
}
