// What Linux says about a process in /proc. Other systems have no such files.

import { readFileSync } from "node:fs";

const MIB_PER_PAGE = 4_096 / 1_048_576;
const NS_PER_MS = 1_000_000;

export function residentMb(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * MIB_PER_PAGE;
  } catch {
    return 0;
  }
}

/** The first child of the first child ..., `depth` generations down; the process itself where the system does not tell. */
export function descendant(pid: number | undefined, depth: number): number | undefined {
  let found = pid;
  for (let i = 0; i < depth && found !== undefined; i++) found = firstChild(found);
  return found ?? pid;
}

function firstChild(pid: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").map(Number);
    return first || undefined;
  } catch {
    return undefined;
  }
}

/** How long a thread ran, and how long it was ready to and no processor was free. */
export interface ThreadTime {
  ranMs: number;
  starvedMs: number;
}

/** The times of the main thread, without the threads that compile and collect garbage. */
export function mainThread(pid: number | undefined): ThreadTime | undefined {
  try {
    const [ran, starved] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ").map(Number);
    return { ranMs: (ran ?? 0) / NS_PER_MS, starvedMs: (starved ?? 0) / NS_PER_MS };
  } catch {
    return undefined;
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
