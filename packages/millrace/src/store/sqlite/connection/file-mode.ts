import { closeSync, openSync, statSync } from "node:fs";

/**
 * Creates a file that its owner alone can read, unless it exists; SQLite gives its -wal and -shm files the same mode.
 * An existing file is never opened: closing it would release the locks that SQLite holds on it in this process.
 */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch {
    // It exists, or cannot be created: then SQLite says why.
  }
}

/** The files among these that every user of the machine can read. */
export function readableByAll(files: string[]): string[] {
  if (process.platform === "win32") return [];
  return files.filter((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o004) !== 0);
}
