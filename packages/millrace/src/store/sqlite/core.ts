// The synchronous heart of the SQLite store. It owns the only writing connection of its process and runs in the store
// thread, or inline (tests, ":memory:"). A group of calls is one BEGIN IMMEDIATE … COMMIT: each is answered after it.

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { KindPlan } from "../../job/kind/plan.ts";
import { Ages } from "../../lib/ages.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Clock, type ClockOffsets, systemClock } from "../../lib/clock.ts";
import { type PublicIds, publicIds } from "../../lib/public-id.ts";
import type { StoreEvents, StoreLimits } from "../store.ts";
import type { Registration } from "../verbs/processes.ts";
import { doLeftWork } from "./children/left-work.ts";
import { closeDatabase, namingTheFile, openDatabase } from "./connection/database.ts";
import { DiskRoom, giveBackReserve } from "./connection/disk-room.ts";
import { classify } from "./connection/errors.ts";
import { OwnFiles } from "./connection/own-files.ts";
import { preparedStatements } from "./connection/statements.ts";
import { WriteTurn } from "./connection/write-turn.ts";
import { handBack } from "./control/hand-back.ts";
import { Places } from "./keys/places.ts";
import { Counts } from "./read/counts.ts";
import { Instances } from "./register/instances.ts";
import { type Meta, readMeta } from "./register/meta.ts";
import { Names } from "./register/names.ts";

export interface CoreOptions {
  path: string;
  durability: "full" | "normal";
  leaseMs: number;
  instanceName: string;
  limits: StoreLimits;
  clockOffsets?: ClockOffsets;
}

export type CoreEvents = Pick<StoreEvents, "lost" | "expired" | "wake">;

/** A lease of this process, as the store itself watches it. */
export interface LocalLease {
  key: number;
  jobId: string;
  token: number;
  stage: number;
  tenant: number;
  flags: number;
  deadlineAt: number;
  retryTimeouts: boolean;
}

/** A connection with its prepared statements. */
export interface Database {
  readonly db: DatabaseSync;
  statement(sql: string): StatementSync;
}

/** What reading needs; the reader thread has no more than this. */
export interface ReadView extends Database {
  readonly options: Pick<CoreOptions, "path">;
  readonly clock: Clock;
  readonly ids: PublicIds;
  readonly batchIds: PublicIds;
  readonly operationIds: PublicIds;
  readonly names: Names;
}

export class Core implements ReadView {
  readonly db: DatabaseSync;
  readonly clock: Clock;
  /** For retention: a clock that is set forward makes nothing old. */
  readonly ages: Ages;
  readonly options: CoreOptions;
  readonly ids: PublicIds;
  readonly batchIds: PublicIds;
  readonly operationIds: PublicIds;
  readonly names: Names;
  readonly counts: Counts;
  readonly places: Places;
  readonly instances: Instances;
  readonly meta: Meta;
  readonly room: DiskRoom;
  readonly files: OwnFiles;
  readonly held = new Map<number, LocalLease>();
  /** The transaction has left work for many jobs: a part of it is done before the commit. */
  hasLeftWork = false;
  /** What this process registered. It registers again after it was declared dead. */
  registration: { plans: KindPlan[]; registration: Registration } | undefined;
  /** When the rows of plans and deployments are looked at next, by the monotonic clock. */
  plansDueAt = Number.NEGATIVE_INFINITY;
  readonly events: CoreEvents;
  readonly random: () => number;
  readonly #turn = new WriteTurn();
  readonly statement: (sql: string) => StatementSync;
  #claimed: LocalLease[] = [];
  #ended: number[] = [];
  #afterCommit: (() => void)[] = [];
  #wakesPools = false;
  #commits = 0;
  #failed: unknown;
  #waits = true;

  constructor(options: CoreOptions, events: CoreEvents, clock?: Clock, random: () => number = Math.random) {
    this.options = options;
    this.events = events;
    this.random = random;
    this.clock = clock ?? systemClock(options.clockOffsets);
    this.ages = new Ages(this.clock);
    this.db = namingTheFile(options.path, () => withReserve(options.path, () => openDatabase(options, this.#turn)));
    this.statement = preparedStatements(this.db);
    this.room = new DiskRoom(options.path);
    this.meta = readMeta(this);
    this.ids = publicIds("job_", this.meta.idSecret);
    this.batchIds = publicIds("batch_", this.meta.idSecret);
    this.operationIds = publicIds("op_", this.meta.idSecret);
    this.names = new Names(this, () => this.clock.now());
    this.counts = new Counts(this);
    this.places = new Places(this);
    this.instances = new Instances(this);
    withReserve(options.path, () =>
      this.transact(() => {
        this.instances.register();
        this.counts.recheckBlockedLanes();
      }),
    );
    this.files = new OwnFiles(options.path);
  }

  /**
   * One write transaction: all of `work`, or nothing of it. Unless it must outlive a power cut, it need not wait for
   * the disk: the next one that must takes it along.
   */
  transact<T>(work: () => T, { durable = true }: { durable?: boolean } = {}): T {
    if (this.#failed) throw this.#failed;
    // The constructor itself commits before all files exist.
    this.files?.requireSame();
    this.#waitForDisk(durable);
    this.#turn.begin(this.db, this.instances?.othersLive ?? false);
    this.names?.transactionBegins();
    try {
      const result = work();
      if (this.hasLeftWork) doLeftWork(this);
      this.places?.settle();
      this.counts.flush();
      this.meta.flush();
      this.statement("COMMIT").run();
      this.#commits++;
      this.#rememberLeases();
      for (const apply of this.#afterCommit) apply();
      return result;
    } catch (error) {
      // SQLite would go on after a failed fsync, with pages that may be lost. This store refuses all later writes.
      if (classify(error) === "fatal") this.#failed = error;
      this.#forgetTransaction();
      throw error;
    } finally {
      this.hasLeftWork = false;
      this.#wakesPools = false;
      this.#afterCommit = [];
      this.#claimed = [];
      this.#ended = [];
      this.names?.transactionEnds();
      this.#turn.end();
    }
  }

  #waitForDisk(durable: boolean): void {
    if (this.options.durability === "normal" || durable === this.#waits) return;
    this.db.exec(durable ? "PRAGMA main.synchronous = FULL" : "PRAGMA main.synchronous = NORMAL");
    this.#waits = durable;
  }

  /** How many transactions this process has written. */
  get commits(): number {
    return this.#commits;
  }

  /** For changes in memory and for notifications: runs once the transaction is on disk, and never after a rollback. */
  afterCommit(apply: () => void): void {
    this.#afterCommit.push(apply);
  }

  /** The transaction made jobs ready that no caller knows of: the pools of this process look for work once it is on disk. */
  wakePools(): void {
    if (this.#wakesPools) return;
    this.#wakesPools = true;
    this.afterCommit(() => this.events.wake());
  }

  /** This process has the lease from the commit on. */
  leaseBegins(held: LocalLease): void {
    this.#claimed.push(held);
  }

  leaseEnds(key: number): void {
    this.#ended.push(key);
  }

  #rememberLeases(): void {
    for (const held of this.#claimed) this.held.set(held.key, held);
    for (const key of this.#ended) this.held.delete(key);
  }

  #forgetTransaction(): void {
    this.counts.reset();
    this.places.reset();
    this.meta.reset();
    this.names.reset();
    try {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
    } catch (error) {
      // A failed rollback leaves the connection unusable; what made it fail is the more telling error.
      if (classify(error) === "fatal")
        throw new AppError("store-failed", "The database could not roll back.", { cause: error });
    }
  }

  close(): void {
    if (!this.db.isOpen) return;
    try {
      // If the files are gone, jobs cannot be handed back. SQLite does not touch new files of the same names.
      if (this.files.look()) return;
      this.transact(() => {
        handBack(this);
        this.instances.leave();
      });
    } finally {
      closeDatabase(this.db);
      this.room.close();
    }
  }
}

/** A full disk must not keep the store from starting: reads go on, and running jobs can settle. */
function withReserve<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (classify(error) !== "full") throw error;
    giveBackReserve(path);
    return work();
  }
}
