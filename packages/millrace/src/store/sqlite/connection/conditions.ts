import { statSync } from "node:fs";
import type { StoreCondition, StoreEvents } from "../../store.ts";
import type { Core } from "../core.ts";
import { truncateWal } from "../upkeep/upkeep.ts";
import { artifactsPath } from "./database.ts";
import { classify, toAppError } from "./errors.ts";
import { readableByAll } from "./file-mode.ts";

const LOOK_MS = 500;
const MIB = 1024 ** 2;
/**
 * A WAL beyond this size is logged. It counts as large until it has shrunk to half, so that the log does not flicker.
 */
const LARGE_WAL_BYTES = 256 * MIB;
/** A busy store fills 16 MiB between two checkpoints; what is larger was left by a reader that has gone. */
const BUSY_WAL_BYTES = 32 * MIB;
const IDLE_WAL_BYTES = 8 * MIB;

/** Checks twice a second what an operator should know: the files, the room on the disk, and the size of the WAL. */
export class ConditionWatch {
  readonly #core: Core;
  readonly #events: StoreEvents;
  readonly #timer: NodeJS.Timeout | undefined;
  #told = "[]";
  #walIsLarge = false;
  #commits = 0;

  constructor(core: Core, events: StoreEvents) {
    this.#core = core;
    this.#events = events;
    if (core.options.path === ":memory:") return;
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    try {
      const conditions = this.#conditions();
      const text = JSON.stringify(conditions);
      if (text === this.#told) return;
      this.#told = text;
      this.#events.conditions?.(conditions);
    } catch (error) {
      // A checkpoint met a busy or full disk: the next look tries again.
      if (classify(error) === "fatal") this.#events.fatal(toAppError(error));
    }
  }

  #conditions(): StoreCondition[] {
    const replaced = this.#core.files.look();
    if (replaced) return [{ code: "store-replaced", level: "error", message: `${replaced.message} ${replaced.hint}` }];
    const { path } = this.#core.options;
    return [...this.#fullDisk(path), ...this.#largeWal(path), ...openToAll(path)];
  }

  #fullDisk(path: string): StoreCondition[] {
    if (!this.#core.room.full) return [];
    const message = `The disk of ${path} is full. Reads and running work continue; submissions get 507. Free some space.`;
    return [{ code: "disk-full", level: "degraded", message }];
  }

  /** A connection that keeps a read transaction open keeps SQLite from starting the WAL over, so it grows with every commit. */
  #largeWal(path: string): StoreCondition[] {
    const resting = this.#core.commits === this.#commits;
    this.#commits = this.#core.commits;
    let bytes = walBytes(path);
    if (bytes > (resting ? IDLE_WAL_BYTES : BUSY_WAL_BYTES)) {
      truncateWal(this.#core);
      bytes = walBytes(path);
    }
    this.#walIsLarge = bytes > (this.#walIsLarge ? LARGE_WAL_BYTES / 2 : LARGE_WAL_BYTES);
    if (!this.#walIsLarge) return [];
    const message = `The write-ahead log of ${path} is larger than 256 MiB. Another program keeps a read transaction open on the file: end that program or its transaction.`;
    return [{ code: "wal-large", level: "degraded", message }];
  }
}

/** New files are created for their owner alone; files that exist keep the mode they have. */
function openToAll(path: string): StoreCondition[] {
  const open = readableByAll([path, artifactsPath(path)]);
  if (open.length === 0) return [];
  const patterns = open.map((file) => `${file}*`).join(" ");
  const message = `Every user of this machine can read ${open.join(" and ")}, with all payloads. Run: chmod 600 ${patterns}`;
  return [{ code: "files-readable", level: "note", message }];
}

function walBytes(path: string): number {
  const size = (file: string) => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return Math.max(size(path), size(artifactsPath(path)));
}
