import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Removes the folders `<prefix>-<process id>…` of processes that were killed before they could do so. */
export function removeLeftovers(prefix: string): void {
  const [parent, start] = [dirname(prefix), `${basename(prefix)}-`];
  for (const name of readdirSync(parent)) {
    const owner = name.startsWith(start) ? /^\d+/.exec(name.slice(start.length))?.[0] : undefined;
    if (owner === undefined || isAlive(Number(owner))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
