// Which processes go first when there is more work than the CPUs can do.

import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { mayHurry } from "./proc.ts";

/**
 * The server answers, renews leases and settles while its children work: with them at its own level it would wait for
 * its turn. The children go only a little behind, because this counts against everything else on the machine too: at 5
 * a job took half as long again, and beside other busy programs some ran out of their time.
 */
const BEHIND_THE_SERVER = 2;
/** While the server itself gets too little CPU time, any job may take longer than usual. */
const GIVING_WAY = 15;
/** A job that has taken long may take longer still. */
const LOWEST = 19;

const AGAIN_MS = 150;
const TRIES = 5;

export class Priority {
  readonly #pid: number;
  #isLowest = false;

  constructor(pid: number) {
    this.#pid = pid;
    this.#set(BEHIND_THE_SERVER, true);
  }

  setLowest(): void {
    if (this.#isLowest) return;
    this.#isLowest = true;
    this.#set(LOWEST, true);
  }

  /** Lowers the priority for a while, only as far as that can be undone. */
  giveWay(doesGiveWay: boolean): void {
    if (!this.#isLowest) this.#set(doesGiveWay ? GIVING_WAY : BEHIND_THE_SERVER, mayHurry());
  }

  #set(nice: number, byProcess: boolean): void {
    if (byProcess) setNice(this.#pid, nice);
    setSessionNice(this.#pid, nice);
  }
}

function setNice(pid: number, nice: number): void {
  try {
    setPriority(pid, nice);
  } catch {
    // The process has just ended, or the system has no priorities.
  }
}

/**
 * A child leads a session of its own. Where the kernel deals out time by session (autogroup: most desktops, and servers without
 * control groups) nice counts only among the threads of one session, and the session has a value for itself. Each child then has as
 * large a share as the whole server.
 */
function setSessionNice(pid: number, nice: number, tries = TRIES): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice));
  } catch (error) {
    // The kernel accepts ten of these per second from a user who is not root.
    const isBusy = (error as NodeJS.ErrnoException).code === "EAGAIN" && tries > 1;
    if (isBusy) setTimeout(() => setSessionNice(pid, nice, tries - 1), AGAIN_MS).unref();
  }
}
