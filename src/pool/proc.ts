// What Linux tells of a process in its files. Other systems tell nothing.

import { readFileSync } from "node:fs";

const MIB_PER_PAGE = 4_096 / 1_048_576;
/** Told in hundredths of a second, whatever the kernel's own clock. */
const MS_PER_TICK = 10;

export function residentMb(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * MIB_PER_PAGE;
  } catch {
    return 0;
  }
}

/** Without the threads that compile and collect garbage. */
export function mainThreadMs(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
    // The name comes second, in brackets, and may hold anything.
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}
