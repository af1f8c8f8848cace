import { messageOf } from "../../../lib/app-error.ts";
import type { StoreEvents } from "../../store.ts";
import { doWorkLeftBehind } from "../children/left-work.ts";
import { restLanes } from "../claim/lanes.ts";
import { classify } from "../connection/errors.ts";
import { beat } from "../control/revoke.ts";
import type { Core } from "../core.ts";
import { WakeListener } from "./listen.ts";

const TICK_MS = 1_000;
/** Where lanes are many, they are looked through for a twentieth of the time. */
const LANES_SHARE = 20;
const FULL_FOR_MS = 10_000;
const STREAMED = "streamed:";
const NAMES_VERSION = "SELECT value FROM millrace.meta WHERE name = 'names_version'";

/**
 * The work that the store does by itself, on its own thread and timer. It renews the lease of this process, takes back
 * the leases of dead processes, enforces deadlines that a blocked main loop would miss, notices lost leases and listens
 * to other processes.
 */
export class Caretaker {
  readonly #core: Core;
  readonly #events: StoreEvents;
  readonly #listener: WakeListener;
  readonly #timer: NodeJS.Timeout;
  #ticking: Promise<void> | undefined;
  #troubled = false;
  #lanesAgainAt = 0;
  #saidFull = false;
  #stopped = false;

  constructor(core: Core, events: StoreEvents) {
    this.#core = core;
    this.#events = events;
    this.#listener = new WakeListener(core.connections.target, (from, words) => this.#heard(from, words));
    this.#timer = setInterval(() => this.#tick(), Math.min(TICK_MS, core.options.leaseMs / 5));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#listener.stop();
    await this.#ticking;
  }

  #heard(from: number, words: string[]): void {
    if (from === this.#core.instances.id || this.#stopped) return;
    const streamed = words.find((word) => word.startsWith(STREAMED));
    if (streamed !== undefined) this.#events.streamed?.(this.#jobsIn(streamed.slice(STREAMED.length)));
    // A stream that grew makes no work for pools.
    if (streamed !== undefined && words.length === 1) return;
    this.#events.wake();
    if (words.includes("revoked")) void this.#core.tellLost().catch(() => {});
  }

  #jobsIn(list: string): string[] | undefined {
    return list === "*" ? undefined : list.split(",").map((key) => this.#core.ids.encode(Number(key)));
  }

  #tick(): void {
    this.#ticking ??= this.#look().finally(() => {
      this.#ticking = undefined;
    });
  }

  async #look(): Promise<void> {
    const core = this.#core;
    // Every process follows all changes of the clock, because any of them may prune next.
    core.ages.notice();
    this.#tellFullDisk();
    try {
      // The own lease comes first, because it cannot wait.
      if (core.instances.needsRenewal) await core.instances.renew();
      await beat(core);
      await doWorkLeftBehind(core);
      await core.tellLost();
      const [version] = await core.connections.write.run<{ value: string }>(NAMES_VERSION, []);
      await core.names.changedTo(version?.value ?? "");
      await this.#restLanes();
      const { announceError } = core.instances;
      if (announceError !== undefined) this.#tellTrouble(announceError);
      else if (this.#troubled) this.#recovered();
    } catch (error) {
      core.instances.noteDelay();
      if (this.#stopped) return;
      this.#tellTrouble(error);
      if (classify(error) === "other" && !(error instanceof Error)) throw error;
    }
  }

  /** Reported once, because a server that is away for minutes would fill the log. */
  #tellTrouble(error: unknown): void {
    if (!this.#troubled) this.#events.trouble(messageOf(error));
    this.#troubled = true;
  }

  /** Only a refused write shows that the server's disk is full, so it counts as full for a while after each. */
  #tellFullDisk(): void {
    const isFull = performance.now() - this.#core.connections.write.fullAt < FULL_FOR_MS;
    if (isFull === this.#saidFull) return;
    this.#saidFull = isFull;
    const message = "The database's disk is full. Reads continue; submissions get 507. Free some space.";
    this.#events.conditions?.(isFull ? [{ code: "disk-full", level: "degraded", message }] : []);
  }

  /** It looks at every lane. */
  async #restLanes(): Promise<void> {
    const startedAt = performance.now();
    if (startedAt < this.#lanesAgainAt) return;
    await this.#core.connections.write.transact(restLanes);
    const endedAt = performance.now();
    this.#lanesAgainAt = endedAt + (endedAt - startedAt) * LANES_SHARE;
  }

  /** Notifications sent during the outage are lost, so every listener looks once. */
  #recovered(): void {
    this.#troubled = false;
    this.#events.wake();
  }
}
