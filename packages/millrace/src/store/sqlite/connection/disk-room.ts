import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const RESERVE_BYTES = 4 * 1024 * 1024;
const RECHECK_MS = 1_000;
const LOOK_MS = 100;
const SHORT_WRITE = "SHORT_WRITE";

/**
 * On a full disk even a delete and a checkpoint fail, so a few megabytes are set aside. When SQLite reports the disk
 * full they are given back: running work can settle and old jobs be pruned, while new submissions are refused until
 * the reserve fits again.
 */
export class DiskRoom {
  readonly #path: string | undefined;
  #full = false;
  #checkedAt = 0;

  constructor(databasePath: string) {
    this.#path = databasePath === ":memory:" ? undefined : reservePath(databasePath);
    if (this.#path) this.#full = !this.#reserve();
  }

  /** The disk is full: gives back the reserve. */
  exhausted(): void {
    this.#full = true;
    this.#checkedAt = performance.now();
    if (this.#path) rmSync(this.#path, { force: true });
  }

  /** Asked at every submission. Another process may have met the full disk and given back the reserve we share. */
  get full(): boolean {
    const now = performance.now();
    if (now - this.#checkedAt > (this.#full ? RECHECK_MS : LOOK_MS)) {
      this.#checkedAt = now;
      this.#full = !this.#reserve();
    }
    return this.#full;
  }

  /** The reserve belongs to all processes of the file and stays for the next start. */
  close(): void {
    this.#full = false;
  }

  #reserve(): boolean {
    if (!this.#path) return true;
    if (sizeOf(this.#path) >= RESERVE_BYTES) return true;
    // With room for the reserve alone, this would take back the room that running work was just given.
    if (freeBytes(dirname(this.#path)) < 2 * RESERVE_BYTES) return false;
    try {
      const file = openSync(this.#path, "w", 0o600);
      try {
        // Random-looking bytes would defeat compressing file systems; plain ones do for the others.
        const block = Buffer.alloc(RESERVE_BYTES, "millrace");
        if (writeSync(file, block) < RESERVE_BYTES)
          throw Object.assign(new Error("short write"), { code: SHORT_WRITE });
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      return true;
    } catch (error) {
      rmSync(this.#path, { force: true });
      // If the reserve cannot be made for another reason, such as a folder without the right to write, the disk is not
      // full.
      const { code } = error as NodeJS.ErrnoException;
      return code !== "ENOSPC" && code !== "EDQUOT" && code !== SHORT_WRITE;
    }
  }
}

/** For a process that cannot even open the database on a full disk. */
export function giveBackReserve(databasePath: string): void {
  rmSync(reservePath(databasePath), { force: true });
}

function reservePath(databasePath: string): string {
  return `${databasePath}-reserve`;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
