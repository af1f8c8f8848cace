// The live feed as the pages see it: is it open, and which jobs moved. Changes are gathered, so that two hundred of them
// in a second are one look and not two hundred.

import { useEffect, useRef, useSyncExternalStore } from "react";
import type { Client, LiveEvent } from "../../src/client/index.ts";

export type LiveState = "connecting" | "open" | "cut";

export interface Moved {
  readonly jobId: string;
  readonly kind: string;
  readonly stage: string;
  readonly state: "pending" | "running" | "completed" | "failed" | "cancelled";
}

/** Undefined: anything may have changed. Empty: no job moved, but a pool did. */
export type Moves = ReadonlyMap<string, Moved> | undefined;

// The first change after a pause is shown at once, those that follow once a second.
const SOON_MS = 60;
const AT_MOST_EVERY_MS = 1_000;
// A browser has six connections to a server, for all tabs together: those that nobody looks at give theirs back.
const UNSEEN_MS = 20_000;
// A feed that is made anew within this time was not missed by anybody.
const CALM_MS = 1_500;

export class LiveStore {
  state: LiveState = "connecting";
  readonly #states = new Set<() => void>();
  readonly #moves = new Set<(moves: Moves) => void>();
  #gathered = new Map<string, Moved>();
  #all = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAt = 0;
  #calm: ReturnType<typeof setTimeout> | undefined;
  #stop: AbortController | undefined;
  #unseen: ReturnType<typeof setTimeout> | undefined;
  #open: () => void = () => {};

  start(client: Pick<Client, "live">, refused: (error: unknown) => void): void {
    this.#open = () => this.#connect(client, refused);
    this.#open();
    document.addEventListener("visibilitychange", this.#seen);
  }

  #connect(client: Pick<Client, "live">, refused: (error: unknown) => void): void {
    const stop = new AbortController();
    this.#stop = stop;
    const options = {
      signal: stop.signal,
      onOpen: () => this.#set("open"),
      onCut: () => {
        this.#calm ??= setTimeout(() => this.#set("cut"), CALM_MS);
      },
    };
    void client
      .live((event) => this.#hear(event), options)
      .catch((error) => {
        this.#set("cut");
        refused(error);
      });
  }

  readonly #seen = (): void => {
    clearTimeout(this.#unseen);
    if (document.hidden) this.#unseen = setTimeout(() => this.#stop?.abort(), UNSEEN_MS);
    // The feed begins with `reset`, so all is looked at again.
    else if (this.#stop?.signal.aborted) this.#open();
  };

  stop(): void {
    document.removeEventListener("visibilitychange", this.#seen);
    clearTimeout(this.#unseen);
    this.#stop?.abort();
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

  onMoves(listener: (moves: Moves) => void): () => void {
    this.#moves.add(listener);
    return () => this.#moves.delete(listener);
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

  #hear({ type, data }: LiveEvent): void {
    if (type === "job") this.#gather(data as Moved);
    else if (type === "pool") this.#tellSoon();
    else if (type === "reset" || type === "elsewhere") this.#gather(undefined);
  }

  #gather(moved: Moved | undefined): void {
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
    this.#gathered = new Map();
    this.#all = false;
    for (const listener of this.#moves) listener(moves);
  }
}

export const live = new LiveStore();

export function useLiveState(): LiveState {
  return useSyncExternalStore(live.onState, () => live.state);
}

/** Called with what moved, once a second at most. */
export function useMoves(listener: (moves: Moves) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => live.onMoves((moves) => latest.current(moves)), []);
}
