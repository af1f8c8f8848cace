// How many connections there may be: what the system lets this process open, less what it needs for itself.

import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

/** Descriptors for the store, logs, child processes and the connections that they need. */
const RESERVE = 64;
const LEAST_PER_PEER = 8;

export interface ConnectionBounds {
  /** The limit on all connections, so that files and child processes can still be opened. */
  readonly total: number;
  /** The limit for one address: half of all at most, so that one client cannot shut out the others. */
  readonly perPeer: number;
}

/**
 * The limits on connections. `perPeer` 0 means any number. Where the system does not tell its limit, only `perPeer`
 * counts.
 */
export function connectionBounds(perPeer: number): ConnectionBounds {
  const wanted = perPeer === 0 ? Number.POSITIVE_INFINITY : perPeer;
  const most = descriptorLimit();
  if (most === undefined) return { total: Number.POSITIVE_INFINITY, perPeer: wanted };
  const own = openDescriptors() ?? 0;
  const total = Math.max(2 * LEAST_PER_PEER, most - own - Math.min(RESERVE, Math.floor(most / 4)));
  return { total, perPeer: Math.min(wanted, Math.floor(total / 2)) };
}

/** The number of open descriptors. Undefined: the system does not tell, or so many are open that it cannot be asked. */
export function openDescriptors(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}

const SPARES = 4;

/** Descriptors that are kept for the moment when there are no others: to find out what has taken them all. */
export class SpareDescriptors {
  #spares: number[] = [];

  constructor() {
    this.#open();
  }

  /** Frees descriptors for a call that needs one or two for a moment. No other code of this thread runs in between. */
  lend(use: () => void): void {
    this.close();
    try {
      use();
    } finally {
      this.#open();
    }
  }

  close(): void {
    for (const spare of this.#spares) closeSync(spare);
    this.#spares = [];
  }

  #open(): void {
    try {
      while (this.#spares.length < SPARES) this.#spares.push(openSync("/dev/null", "r"));
    } catch {
      // No descriptor is free, so fewer are kept until the next time.
    }
  }
}

function descriptorLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
