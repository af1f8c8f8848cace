// The live feed as the pages see it: is it open, and which jobs moved. Changes are gathered, so that two hundred of them
// in a second are one look and not two hundred.

import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Client, LiveEvent } from "../../src/client/index.ts";
import { followFeed } from "./shared-feed.ts";

/** Whether the live feed is open. */
export type LiveState = "connecting" | "open" | "cut";

/** A job that moved. */
export interface MovedJob {
  /** The id of the job. */
  readonly jobId: string;
  /** Its kind. */
  readonly kind: string;
  /** Its stage. */
  readonly stage: string;
  /** Its state. */
  readonly state: "pending" | "running" | "completed" | "failed" | "cancelled";
}

/** Undefined: anything may have changed. Empty: no job moved, but a pool did. */
export type Moves = ReadonlyMap<string, MovedJob> | undefined;

// The first change after a pause is shown at once, those that follow once a second.
const SOON_MS = 60;
const AT_MOST_EVERY_MS = 1_000;
// A hidden tab has no feed. A look at another tab and back within this time does not cut it.
const UNSEEN_MS = 900;
// A feed that reconnects within this time shows no notice.
const CALM_MS = 1_500;

export class LiveStore {
  state: LiveState = "connecting";
  readonly #states = new Set<() => void>();
  readonly #moves = new Set<(moves: Moves, events: ReadonlySet<string>) => void>();
  readonly #events = new Set<(event: LiveEvent) => void>();
  #gathered = new Map<string, MovedJob>();
  #heard = new Set<string>();
  #all = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAt = 0;
  #calm: ReturnType<typeof setTimeout> | undefined;
  #stop: AbortController | undefined;
  #unseen: ReturnType<typeof setTimeout> | undefined;
  #wasHidden = false;
  #open: () => void = () => {};

  /** `audience`: tabs with the same one share a connection. */
  start(client: Pick<Client, "live">, audience: string, refused: (error: unknown) => void): void {
    this.#open = () => this.#connect(client, audience, refused);
    // A tab that was opened in the background connects when it is first seen.
    if (!document.hidden) this.#open();
    document.addEventListener("visibilitychange", this.#seen);
  }

  #connect(client: Pick<Client, "live">, audience: string, refused: (error: unknown) => void): void {
    const stop = new AbortController();
    this.#stop = stop;
    const listener = {
      event: (event: LiveEvent) => this.#hear(event),
      open: () => this.#set("open"),
      cut: () => {
        this.#calm ??= setTimeout(() => this.#set("cut"), CALM_MS);
      },
      refused: (error: unknown) => {
        this.#set("cut");
        refused(error);
      },
    };
    followFeed(client, audience, listener, stop.signal);
    // What happened while nothing was heard is not known.
    if (this.#wasHidden) this.#gather(undefined);
    this.#wasHidden = false;
  }

  readonly #seen = (): void => {
    clearTimeout(this.#unseen);
    if (document.hidden) {
      this.#unseen = setTimeout(() => {
        this.#wasHidden = true;
        this.#stop?.abort();
        clearTimeout(this.#calm);
        this.#calm = undefined;
      }, UNSEEN_MS);
    } else if (!this.#stop || this.#stop.signal.aborted) this.#open();
  };

  stop(): void {
    document.removeEventListener("visibilitychange", this.#seen);
    clearTimeout(this.#unseen);
    this.#stop?.abort();
    this.#stop = undefined;
    clearTimeout(this.#timer);
    clearTimeout(this.#calm);
    this.#timer = undefined;
    this.#calm = undefined;
    this.state = "connecting";
  }

  readonly onState = (listener: () => void): (() => void) => {
    this.#states.add(listener);
    return () => this.#states.delete(listener);
  };

  /** With the names of the events of workloads that came meanwhile. */
  onMoves(listener: (moves: Moves, events: ReadonlySet<string>) => void): () => void {
    this.#moves.add(listener);
    return () => this.#moves.delete(listener);
  }

  /** Every event of a workload, as it comes. */
  onEvent(listener: (event: LiveEvent) => void): () => void {
    this.#events.add(listener);
    return () => this.#events.delete(listener);
  }

  #set(state: LiveState): void {
    clearTimeout(this.#calm);
    this.#calm = undefined;
    if (this.state === state) return;
    const wasCut = this.state === "cut";
    this.state = state;
    if (wasCut && state === "open") this.#gather(undefined);
    for (const listener of this.#states) listener();
  }

  #hear(event: LiveEvent): void {
    const { type, data } = event;
    if (type.includes(".")) {
      this.#heard.add(type);
      this.#tellSoon();
      for (const listener of this.#events) listener(event);
    } else if (type === "job") this.#gather(data as MovedJob);
    else if (type === "pool") this.#tellSoon();
    else if (type === "reset" || type === "elsewhere") this.#gather(undefined);
  }

  #gather(moved: MovedJob | undefined): void {
    if (moved) this.#gathered.set(moved.jobId, moved);
    else this.#all = true;
    this.#tellSoon();
  }

  #tellSoon(): void {
    const wait = Math.max(SOON_MS, this.#toldAt + AT_MOST_EVERY_MS - performance.now());
    this.#timer ??= setTimeout(() => this.#tell(), wait);
  }

  #tell(): void {
    this.#timer = undefined;
    this.#toldAt = performance.now();
    const moves = this.#all ? undefined : this.#gathered;
    const heard = this.#heard;
    this.#gathered = new Map();
    this.#heard = new Set();
    this.#all = false;
    for (const listener of this.#moves) listener(moves, heard);
  }
}

export const live = new LiveStore();

/** Whether the live feed is open. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(live.onState, () => live.state);
}

/** Called with what moved, once a second at most. */
export function useMoves(listener: (moves: Moves) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => live.onMoves((moves) => latest.current(moves)), []);
}

/** Called for every event of this name that a workload sends: `greetings.greeted`. */
export function useLiveEvent<T = unknown>(name: string, listener: (data: T) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(
    () =>
      live.onEvent(({ type, data }) => {
        if (type === name) latest.current(data as T);
      }),
    [name],
  );
}
