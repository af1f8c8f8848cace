// What Linux tells of a process in its files. Other systems tell nothing.

import { readdirSync, readFileSync } from "node:fs";

const MIB_PER_PAGE = 4_096 / 1_048_576;
const NS_PER_MS = 1_000_000;

export function residentMb(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * MIB_PER_PAGE;
  } catch {
    return 0;
  }
}

/** How long its main thread was ready to go on and no processor was free for it. */
export function starvedMs(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[1]) / NS_PER_MS;
  } catch {
    return 0;
  }
}

/** Of all threads of this process together: how long they ran, and how long they were ready and no processor was free. */
export function ownTime(): { ranMs: number; starvedMs: number } | undefined {
  try {
    const sum = { ranMs: 0, starvedMs: 0 };
    for (const thread of readdirSync("/proc/self/task")) {
      const [ran = 0, starved = 0] = readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ").map(Number);
      sum.ranMs += ran / NS_PER_MS;
      sum.starvedMs += starved / NS_PER_MS;
    }
    return sum;
  } catch {
    return undefined; // another system, or a thread that ended meanwhile
  }
}

const CAP_SYS_NICE = 1n << 23n;

/** Whether a process of ours that was put behind others may be put in front of them again. */
export function mayHurry(): boolean {
  try {
    const [, capabilities = "0"] = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return (BigInt(`0x${capabilities}`) & CAP_SYS_NICE) !== 0n;
  } catch {
    return false;
  }
}
