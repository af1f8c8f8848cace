// Writes log lines to a file descriptor, in order and from this thread: a thread of its own would lose the last lines of a
// process that dies.
//
// Lines of one turn of the event loop go out in one write: under load a write for each line costs more than the line. If a
// pipe is full, the rest waits and the loop goes on. If too much waits, or at exit, the writer blocks until the reader
// has taken it.

import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

export interface LineWriter {
  write(line: string): void;
  /** Writes as much as the reader takes now. */
  flush(): void;
}

/** More than this is written within the turn. */
const TURN_CHARS = 65_536;
/** About 50,000 lines. */
const MOST_WAITING_CHARS = 8 * 1024 * 1024;
const RETRY_MS = 5;
/** A reader that takes nothing for this long does not hold up the end of the process. */
const PATIENCE_AT_EXIT_MS = 10_000;

let standardOutput: LineWriter | undefined;

/** One for the whole process, so that the lines of all logs keep their order. */
export function stdoutWriter(): LineWriter {
  standardOutput ??= lineWriter(nonBlocking(1));
  return standardOutput;
}

export function lineWriter(fd: number): LineWriter {
  let gathered = "";
  let unwritten = Buffer.alloc(0);
  let isDue = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  const push = (patienceMs: number): void => {
    let waitedMs = 0;
    while (!isClosed) {
      if (unwritten.length === 0) {
        if (gathered === "") return;
        unwritten = Buffer.from(gathered);
        gathered = "";
      }
      const written = writeSome(fd, unwritten);
      if (written === "busy" && waitedMs >= patienceMs) return later();
      if (written === "busy") waitedMs += sleep();
      else if (written === "closed") isClosed = true;
      else {
        unwritten = unwritten.subarray(written);
        waitedMs = 0;
      }
    }
  };
  const later = (): void => {
    retry ??= setTimeout(() => {
      retry = undefined;
      push(0);
    }, RETRY_MS).unref();
  };

  process.on("exit", () => push(PATIENCE_AT_EXIT_MS));
  return {
    flush: () => push(0),
    write(line) {
      if (isClosed) return;
      gathered += line;
      if (gathered.length + unwritten.length > MOST_WAITING_CHARS) push(Number.POSITIVE_INFINITY);
      else if (gathered.length > TURN_CHARS && retry === undefined) push(0);
      if (isDue) return;
      isDue = true;
      setImmediate(() => {
        isDue = false;
        if (retry === undefined) push(0);
      });
    },
  };
}

/**
 * Returns how many bytes were taken. `busy`: the pipe is full. `closed`: the reader is gone. If the disk is full, or
 * the terminal is gone, these lines are dropped: a log must not end the process that it reports on.
 */
function writeSome(fd: number, bytes: Uint8Array): number | "busy" | "closed" {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "EINTR") return 0;
    if (code === "EAGAIN") return "busy";
    return code === "EPIPE" ? "closed" : bytes.length;
  }
}

/**
 * On Linux a pipe can be opened a second time, in a mode in which a full pipe refuses the write instead of blocking the
 * process. The descriptor itself stays as it is, since other processes share its mode.
 */
function nonBlocking(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd;
    const opened = openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
    if (fstatSync(opened).isFIFO()) return opened;
    closeSync(opened);
  } catch {
    // Another system, or a pipe of another user: writes block while it is full.
  }
  return fd;
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

function sleep(): number {
  const ms = 2;
  Atomics.wait(sleeper, 0, 0, ms);
  return ms;
}
