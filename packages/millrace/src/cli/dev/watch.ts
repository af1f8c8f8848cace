// Tells when files have other contents than before. The system's events are only a hint to look: runtimes, editors and
// mounted folders differ in which they send. A look every second finds what no event announced.

import { createHash } from "node:crypto";
import { type FSWatcher, readFileSync, statSync, watch } from "node:fs";
import { dirname } from "node:path";

const LOOK_MS = 1_000;
/** Editors and formatters write several times in a row: a change counts when this long has passed without another. */
const QUIET_MS = 100;
/** The longest wait for a pause between changes. */
const LONGEST_MS = 1_000;

interface FileStamp {
  /** The inode, size and times of the file, which are cheap to read. */
  stamp: string;
  /** A hash of its contents; empty if there is no file. */
  hash: string;
}

export class Watcher {
  readonly #changed: (files: readonly string[]) => void;
  readonly #seen = new Map<string, FileStamp>();
  readonly #folders = new Map<string, FSWatcher>();
  readonly #pending = new Set<string>();
  #firstAt = 0;
  #lastAt = 0;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(changed: (files: readonly string[]) => void) {
    this.#changed = changed;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Watches these files from now on. A change of a file that was watched before is still reported. */
  set(files: readonly string[]): void {
    const wanted = new Set(files);
    for (const file of this.#seen.keys()) if (!wanted.has(file)) this.#seen.delete(file);
    for (const file of wanted) if (!this.#seen.has(file)) this.#seen.set(file, look(file, undefined));
    this.#watchFolders(new Set([...wanted].map((file) => dirname(file))));
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#quiet);
    for (const each of this.#folders.values()) each.close();
    this.#folders.clear();
  }

  /**
   * Folders are watched instead of files, because many editors write a new file and put it in the place of the old one.
   */
  #watchFolders(folders: ReadonlySet<string>): void {
    for (const [folder, each] of this.#folders) {
      if (folders.has(folder)) continue;
      each.close();
      this.#folders.delete(folder);
    }
    for (const folder of folders) {
      if (this.#folders.has(folder)) continue;
      try {
        const each = watch(folder, { persistent: false }, () => this.#look());
        each.on("error", () => each.close());
        this.#folders.set(folder, each);
      } catch {
        // There are too many watches, or the folder is missing. The look every second still finds changes.
      }
    }
  }

  #look(): void {
    for (const [file, before] of this.#seen) {
      const now = look(file, before);
      if (now.hash !== before.hash) {
        this.#pending.add(file);
        this.#lastAt = performance.now();
        if (this.#pending.size === 1) this.#firstAt = this.#lastAt;
      }
      this.#seen.set(file, now);
    }
    if (this.#pending.size > 0) this.#tellWhenQuiet();
  }

  #tellWhenQuiet(): void {
    clearTimeout(this.#quiet);
    const now = performance.now();
    const at = Math.min(this.#lastAt + QUIET_MS, this.#firstAt + LONGEST_MS);
    this.#quiet = setTimeout(
      () => {
        const files = [...this.#pending];
        this.#pending.clear();
        this.#changed(files);
      },
      Math.max(0, at - now),
    );
  }
}

function look(file: string, before: FileStamp | undefined): FileStamp {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    const stamp = `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
    if (stamp === before?.stamp) return before;
    return { stamp, hash: createHash("sha1").update(readFileSync(file)).digest("hex") };
  } catch {
    return { stamp: "", hash: "" };
  }
}
