// The heart of the PostgreSQL store: connections, names, ids, this process's registration and the leases it holds. It
// runs in the store thread, so that a blocked main loop keeps its leases, or inline in tests.

import type { KindPlan } from "../../job/kind/plan.ts";
import { Ages } from "../../lib/ages.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Clock, ClockOffsets } from "../../lib/clock.ts";
import { type PublicIds, publicIds } from "../../lib/public-id.ts";
import type { LeftWork } from "../children/codes.ts";
import type { StoreEvents, StoreLimits } from "../store.ts";
import type { Registration } from "../verbs/processes.ts";
import { doLeftWork } from "./children/left-work.ts";
import { Bundles, type BundlesByHand } from "./claim/bundles.ts";
import { HeldLeases } from "./claim/leases.ts";
import { RecentLooks } from "./claim/look.ts";
import { Marks } from "./claim/marks.ts";
import { StoreClock } from "./connection/clock.ts";
import type { StatementRunner } from "./connection/connection.ts";
import { Connections } from "./connection/connections.ts";
import { DatabaseTarget } from "./connection/target.ts";
import { HAND_BACK_BATCH, handBack } from "./control/hand-back.ts";
import { findLost } from "./control/lost-leases.ts";
import { migrate } from "./migrations/migrate.ts";
import type { FinishedCount } from "./read/standing-counts.ts";
import { Instances } from "./register/instances.ts";
import { Names } from "./register/names.ts";
import { NotesUnderWay } from "./settle/notes.ts";
import { WakeSender } from "./thread/wake.ts";
import type { Excess } from "./upkeep/prune-beyond.ts";

export interface CoreOptions {
  url: string;
  durability: "full" | "normal";
  leaseMs: number;
  instanceName: string;
  limits: StoreLimits;
  /** Where the main thread's clock finds the database's. */
  clockOffsets?: ClockOffsets;
}

/** For tests: time and chance by hand, and connections that outlive the store. */
export interface ByHand {
  clock?: Clock;
  random?: () => number;
  connections?: Connections;
  bundles?: BundlesByHand;
}

export type CoreEvents = Pick<StoreEvents, "lost" | "expired" | "wake">;

const MOVING = "SELECT 1 FROM millrace.meta WHERE name = 'move of'";
const ID_SECRET = "SELECT value FROM millrace.meta WHERE name = 'id_secret'";

export class Core {
  readonly options: CoreOptions;
  readonly events: CoreEvents;
  readonly random: () => number;
  readonly clock: StoreClock;
  /** For retention: a clock that is set forward makes nothing old. */
  readonly ages: Ages;
  readonly connections: Connections;
  readonly names: Names;
  readonly instances: Instances;
  readonly voice: WakeSender;
  /** What this process registered. It registers again after it was declared dead. */
  registration: { plans: KindPlan[]; registration: Registration } | undefined;
  /** When the rows of plans and deployments are looked at next, by the monotonic clock. */
  plansDueAt = Number.NEGATIVE_INFINITY;
  readonly notes = new NotesUnderWay();
  readonly looks = new RecentLooks();
  readonly marks = new Marks();
  /** What was last counted beyond JOB_KEEP_MAX and DLQ_KEEP_MAX. */
  readonly excess = new Map<string, Excess>();
  finishedCount: FinishedCount | undefined;
  readonly bundles: Bundles;
  /** The leases of this process, with the bundles that they are in. */
  readonly leases: HeldLeases;
  ids!: PublicIds;
  /** No two stores have the same secret, so it also tells one store from another. */
  idSecret!: string;
  batchIds!: PublicIds;
  operationIds!: PublicIds;
  readonly #lent: boolean;

  private constructor(options: CoreOptions, events: CoreEvents, byHand: ByHand = {}) {
    this.options = options;
    this.events = events;
    this.random = byHand.random ?? Math.random;
    this.clock = new StoreClock({ manual: byHand.clock, offsets: options.clockOffsets });
    this.ages = new Ages(this.clock);
    this.connections = byHand.connections ?? new Connections(new DatabaseTarget(options.url), options.limits);
    this.#lent = byHand.connections !== undefined;
    this.names = new Names(this.connections, () => this.clock.given);
    this.instances = new Instances(this);
    this.voice = new WakeSender(this.connections);
    this.bundles = new Bundles(this, byHand.bundles);
    this.leases = new HeldLeases(this.bundles);
  }

  static async open(options: CoreOptions, events: CoreEvents, byHand?: ByHand): Promise<Core> {
    const core = new Core(options, events, byHand);
    try {
      const { write, target } = core.connections;
      await migrate(write, target);
      await refuseHalfMoved(write);
      const [secret] = await write.run<{ value: string }>(ID_SECRET, []);
      core.idSecret = secret?.value as string;
      core.ids = publicIds("job_", core.idSecret);
      core.batchIds = publicIds("batch_", core.idSecret);
      core.operationIds = publicIds("op_", core.idSecret);
      await core.names.load();
      await core.instances.register();
      return core;
    } catch (error) {
      await core.#disconnect();
      throw error;
    }
  }

  /** "on" where the answer promises that the data is on disk. Progress and log lines need not be. */
  durable(must: boolean): "on" | "off" {
    return must && this.options.durability === "full" ? "on" : "off";
  }

  /** Does what a commit has left to be done. What fails is left to the caretaker. */
  async doLeftWork(left: LeftWork[]): Promise<void> {
    await doLeftWork(this, left).catch(() => {});
  }

  /** Looks for leases that this process has lost, and tells of them. */
  async tellLost(): Promise<void> {
    const lost = await findLost(this);
    if (lost.length > 0) this.events.lost(lost);
  }

  async close(): Promise<void> {
    this.bundles.stop();
    try {
      while ((await handBack(this)) >= HAND_BACK_BATCH);
      await this.instances.leave();
      await this.voice.quiet();
    } finally {
      await this.#disconnect();
    }
  }

  async #disconnect(): Promise<void> {
    if (!this.#lent) await this.connections.close();
  }
}

/** The move from a file was not finished. The file still has these jobs, so here they would run a second time. */
async function refuseHalfMoved(db: StatementRunner): Promise<void> {
  if ((await db.run(MOVING, [])).length === 0) return;
  throw new AppError("move-unfinished", "A move of a file into this database has started and is not finished.", {
    hint: "Run the same `millrace move` again: it continues where it stopped. Until then, use the file.",
  });
}
