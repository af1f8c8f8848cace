// THE MODEL of one job that waits: what the contract says of sleeps, signals, events and races, in memory and as plainly as can be.

import { type NewWait, plainName } from "../../../job/wait.ts";

type State = "open" | "dormant" | "answered" | "timed-out" | "closed";

interface ModelWait extends Pick<NewWait, "type" | "name"> {
  key?: number | undefined;
  state: State;
  until?: number | undefined;
  at?: number;
  value?: string;
  /** The signal or event that answered it. */
  source?: number;
}

interface ModelSignal {
  id: number;
  name: string;
  value: string;
  isTaken: boolean;
}

interface ModelEvent {
  id: number;
  key: number;
  fields: string;
  at: number;
  expiresAt: number;
}

export class WaitsModel {
  state: "running" | "waiting" | "ready" | "ended" = "running";
  waits: ModelWait[] = [];
  readonly races: string[] = [];
  readonly #signals: ModelSignal[] = [];
  readonly #events: ModelEvent[] = [];
  readonly #createdAt: number;
  #ids = 0;
  now: number;

  constructor(now: number) {
    this.now = now;
    this.#createdAt = now;
  }

  find({ type, name }: Pick<NewWait, "type" | "name">): ModelWait | undefined {
    return this.waits.find((wait) => wait.type === type && wait.name === name);
  }

  /** When it is due by itself. */
  get isClaimable(): boolean {
    if (this.state === "ready") return true;
    const ends = this.#open.flatMap(({ until }) => (until === undefined ? [] : [until]));
    return this.state === "waiting" && Math.min(...ends) <= this.now;
  }

  get #open(): ModelWait[] {
    return this.waits.filter(({ state }) => state === "open");
  }

  suspend(asked: readonly NewWait[]): void {
    for (const { type, name, timeoutMs, event } of asked) {
      const known = this.find({ type, name });
      const until = timeoutMs === undefined ? undefined : this.now + timeoutMs;
      if (!known) this.waits.push({ type, name, state: "open", until, key: event?.match["key"] as number | undefined });
      else if (known.state === "dormant") known.state = "open";
    }
    const wanted = asked.map((wait) => this.find(wait));
    for (const wait of this.#open) if (!wanted.includes(wait)) wait.state = "dormant";
    this.#answer();
    this.state = this.#open.length < asked.length ? "ready" : "waiting";
  }

  resume(): string[] {
    this.#answer();
    const words = this.waits.map(({ type, name, state, value }) =>
      [type, name, state === "dormant" ? "open" : state, ...(value === undefined ? [] : [value])].join(" "),
    );
    return [...words, ...this.races].sort();
  }

  signal(name: string, value: string): "kept" | "finished" {
    if (this.state === "ended") return "finished";
    this.#signals.push({ id: ++this.#ids, name, value, isTaken: false });
    if (this.#answer()) this.#wake();
    return "kept";
  }

  /** How many jobs it wakes. */
  publish(key: number, fields: string, keepMs: number): number {
    this.#events.push({ id: ++this.#ids, key, fields, at: this.now, expiresAt: this.now + keepMs });
    if (this.state === "ended" || !this.#open.some((wait) => wait.type === "event" && wait.key === key)) return 0;
    return this.#answer() && this.#wake() ? 1 : 0;
  }

  /** The member that was answered first; equal times go by the order of the members. */
  race(name: string, members: readonly NewWait[]): { value: string; closes: NewWait[] } | undefined {
    const answered = members.filter((each) => this.find(each)?.at !== undefined && this.find(each)?.state !== "closed");
    const [first] = answered.sort((a, b) => (this.find(a)?.at ?? 0) - (this.find(b)?.at ?? 0));
    if (!first) return undefined;
    const value = JSON.stringify({ winner: first.name });
    const closes = members.filter((each) => each !== first);
    for (const { type, name: closed } of closes) {
      const known = this.find({ type, name: closed });
      if (!known) {
        this.waits.push({ type, name: closed, state: "closed" });
        continue;
      }
      const signal = known.type === "signal" ? this.#signals.find(({ id }) => id === known.source) : undefined;
      if (signal) signal.isTaken = false;
      known.state = "closed";
      delete known.value;
      delete known.source;
    }
    this.races.push(`race ${name} answered ${value}`);
    return { value, closes };
  }

  #wake(): boolean {
    if (this.state !== "waiting") return false;
    this.state = "ready";
    return true;
  }

  /** Time comes first: a wait whose time is up takes nothing. */
  #answer(): boolean {
    const open = this.#open;
    const had = new Set(this.waits.map((wait) => (wait.type === "event" ? wait.source : undefined)));
    for (const wait of open) {
      if (wait.until !== undefined && wait.until <= this.now) Object.assign(wait, { state: "timed-out", at: this.now });
      else if (wait.type === "signal") {
        const signal = this.#signals.find(({ name, isTaken }) => !isTaken && name === plainName(wait.name));
        if (!signal) continue;
        signal.isTaken = true;
        Object.assign(wait, { state: "answered", at: this.now, value: signal.value, source: signal.id });
      } else if (wait.type === "event") {
        const event = this.#events.find(
          ({ id, key, at, expiresAt }) =>
            key === wait.key && at >= this.#createdAt && expiresAt > this.now && !had.has(id),
        );
        if (!event) continue;
        had.add(event.id);
        Object.assign(wait, { state: "answered", at: this.now, value: event.fields, source: event.id });
      }
    }
    return open.some(({ state }) => state !== "open");
  }
}
