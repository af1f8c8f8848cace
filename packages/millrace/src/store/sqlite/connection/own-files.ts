import { statSync } from "node:fs";
import type { AppError } from "../../../lib/app-error.ts";
import { artifactsPath } from "./database.ts";
import { replacedError } from "./replaced-error.ts";

/** Submissions look at most this often: all six files cost about 15 µs. */
const LOOK_MS = 100;

interface FileIdentity {
  file: string;
  dev: bigint;
  ino: bigint;
}

/**
 * Notices when a file of the store was deleted or replaced under an open connection. SQLite keeps writing to the file it
 * opened, which has no name any more, so everything it acknowledges would be lost at the next start. An open file keeps its
 * inode, on network mounts too. A second WAL or shared-memory file is as bad: another process would not see our locks.
 */
export class OwnFiles {
  readonly #files: FileIdentity[];
  #lookedAt = 0;
  #replaced: AppError | undefined;

  /** Call this after the first commit, when all files of the store exist. */
  constructor(path: string) {
    const names = path === ":memory:" ? [] : [path, artifactsPath(path)].flatMap((file) => withLogs(file));
    this.#files = names.flatMap((file) => identityOf(file) ?? []);
  }

  /** Throws when a file is no longer the one that is open. Looks at the disk at most every 100 ms. */
  requireSame(): void {
    if (this.#replaced === undefined && performance.now() - this.#lookedAt > LOOK_MS) this.look();
    if (this.#replaced !== undefined) throw this.#replaced;
  }

  /** Looks at the disk now. It does not recover without a restart: others may have written to the new file meanwhile. */
  look(): AppError | undefined {
    if (this.#replaced !== undefined) return this.#replaced;
    this.#lookedAt = performance.now();
    const lost = this.#files.find((open) => !isSame(open));
    if (lost !== undefined) this.#replaced = replacedError(lost.file);
    return this.#replaced;
  }
}

function withLogs(file: string): string[] {
  return [file, `${file}-wal`, `${file}-shm`];
}

function identityOf(file: string): FileIdentity | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && { file, dev: found.dev, ino: found.ino };
}

function isSame({ file, dev, ino }: FileIdentity): boolean {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found !== undefined && found.dev === dev && found.ino === ino;
  } catch {
    // A mount that does not answer proves nothing about the file. SQLite reports its own errors.
    return true;
  }
}
