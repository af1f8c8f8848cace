// Who goes first when there are fewer processors than work.

import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * The server answers, renews leases and settles while its children work: with them at its own level it waits for its turn. No more than
 * a little behind, since this counts against everybody else on the machine too: at 5 a drawing took half as long again, and beside
 * other busy programs some ran out of their time.
 */
export const BEHIND_THE_SERVER = 2;
/** A job that has taken long may take a little longer. */
export const BEHIND_THE_OTHERS = 15;

const AGAIN_MS = 150;
const TRIES = 5;

/**
 * A child leads a session of its own. Where the kernel deals out time by session (autogroup: most desktops, and servers without
 * control groups) nice counts only among the threads of one session, and the session has a value for itself.
 */
export function goBehind(pid: number, nice: number, tries = TRIES): void {
  try {
    setPriority(pid, nice);
  } catch {
    // It has just ended, or the system knows no such thing.
  }
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(nice));
  } catch (error) {
    // The kernel takes ten of these in a second from whoever is not root.
    const isBusy = (error as NodeJS.ErrnoException).code === "EAGAIN" && tries > 1;
    if (isBusy) setTimeout(() => goBehind(pid, nice, tries - 1), AGAIN_MS).unref();
  }
}
