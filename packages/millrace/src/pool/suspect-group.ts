// Suspects (jobs with two or more crashes) run in groups, so that one that kills the process takes few of the others along.
//
//   size 1 ──all ended, no death──▶ size 2 ──▶ size 4 ──▶ …
//     ▲────────── a process died, this one or another ──────────┘
//
// A group is the next `size` suspects that the process takes, over all its inline pools. The next group starts once every
// member has ended. A claim reserves room before it knows whether it will find suspects.

import { largestGroup } from "../job/crash.ts";
import type { SuspectGroupState } from "../store/verbs/attempts.ts";

/** As large as a group can become: more than any process has processors. */
const LARGEST = 1_048_576;

export interface SuspectRoom {
  suspects: number;
  group: SuspectGroupState;
}

export class SuspectGroup {
  #size = 1;
  /** Members taken so far, those that ended included. */
  #members = 0;
  #running = 0;
  /** The largest group that every running member may be in. */
  #limit = LARGEST;
  #lastDeathAt: number | undefined;
  #isReserved = false;
  /** Claims that came while another one had reserved the room. */
  readonly #afterReservation = new Set<() => void>();
  /** Claims that wait for a member to end. */
  readonly #afterMember = new Set<() => void>();

  /** Reserves room for a claim, until it calls `admit`. Without room, `whenFree` is called once there may be some. */
  reserve(most: number, whenFree: () => void): SuspectRoom | undefined {
    if (this.#isReserved) {
      this.#afterReservation.add(whenFree);
      return undefined;
    }
    const suspects = Math.min(most, this.#size - this.#members, this.#limit - this.#running);
    if (suspects <= 0) {
      this.whenFree(whenFree);
      return undefined;
    }
    this.#isReserved = true;
    const death = this.#lastDeathAt !== undefined && { lastDeathAt: this.#lastDeathAt };
    return { suspects, group: { running: this.#running, ...death } };
  }

  /**
   * Takes in what a claim with reserved room found. Returns true if a process died meanwhile, so that it found none and
   * should ask again.
   */
  admit(
    found: readonly { crashes: number }[],
    bounds: { maxCrashes: number },
    lastDeathAt = this.#lastDeathAt,
  ): boolean {
    this.#isReserved = false;
    const isNews = this.#lastDeathAt !== undefined && this.#lastDeathAt !== lastDeathAt;
    this.#lastDeathAt = lastDeathAt;
    if (isNews) {
      this.#size = 1;
      this.#members = this.#running;
    }
    this.#members += found.length;
    this.#running += found.length;
    for (const job of found) this.#limit = Math.min(this.#limit, largestGroup(job, bounds));
    callAll(this.#afterReservation);
    return isNews;
  }

  /** Calls back when the next member ends. */
  whenFree(tell: () => void): void {
    this.#afterMember.add(tell);
  }

  /** Call this when a member's attempt has ended, however it did. */
  leave(): void {
    this.#running--;
    if (this.#running === 0) {
      this.#limit = LARGEST;
      if (this.#members >= this.#size) {
        this.#size = Math.min(LARGEST, this.#size * 2);
        this.#members = 0;
      }
    }
    callAll(this.#afterMember);
  }
}

function callAll(callbacks: Set<() => void>): void {
  const all = [...callbacks];
  callbacks.clear();
  for (const tell of all) tell();
}
