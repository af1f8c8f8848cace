import { stdoutWriter } from "./line-writer.ts";
import { type Fields, presentable } from "./presentable.ts";
import { prettyLine } from "./pretty.ts";

/** A log of facts: the event is constant, and what varies goes into the fields. */
export interface Log {
  /** False: lines below `warn` are dropped, so there is no need to prepare them. */
  readonly infoEnabled: boolean;
  /** Logs an event for developers. */
  debug(event: string, fields?: Fields): void;
  /** Logs a normal event. */
  info(event: string, fields?: Fields): void;
  /** Logs an event that an operator should look at. */
  warn(event: string, fields?: Fields): void;
  /** Logs a failure. */
  error(event: string, fields?: Fields): void;
  /** The same log with these fields on every line. */
  child(fields: Fields): Log;
}

/** Options of `createLog()`. */
export interface LogOptions {
  /** The lowest level that is written. Default: "info". */
  readonly level?: "debug" | "info" | "warn" | "error" | "silent";
  /** Writes the stacks of errors and of failed attempts. Default: true with the level "debug", else false. */
  readonly stacks?: boolean;
  /**
   * "json" writes one object per line, "pretty" writes text for people. Default: "pretty" on a terminal, else "json".
   */
  readonly format?: "json" | "pretty";
  /** Receives whole lines, each with its line break. Default: standard output. */
  readonly destination?: { write(line: string): void };
}

const LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/**
 * A log for `Millrace.open({ log })`. Values of fields such as `password` and `apiKey` are redacted.
 *
 * @example
 * ```ts
 * import { createLog, Millrace, sqlite } from "millrace";
 *
 * const log = createLog({ level: "info", format: "json" });
 * const millrace = await Millrace.open({ store: sqlite(":memory:"), log });
 * await millrace.stop();
 * ```
 */
export function createLog({ level = "info", stacks, format, destination }: LogOptions = {}): Log {
  const stdout = destination ? undefined : stdoutWriter();
  const output = destination ?? stdout;
  const isPretty = format === undefined ? destination === undefined && process.stdout.isTTY : format === "pretty";
  return logWith(
    {
      least: LEVELS.indexOf(level),
      withStack: stacks ?? level === "debug",
      write: (line) => output?.write(isPretty ? prettyLine(line) : line),
      flush: () => stdout?.flush(),
    },
    {},
  );
}

export const silentLog: Log = {
  infoEnabled: false,
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};

interface LogStyle {
  /** The index in LEVELS of the lowest level that is written. */
  readonly least: number;
  readonly withStack: boolean;
  readonly write: (line: string) => void;
  readonly flush: () => void;
}

function logWith(manner: LogStyle, about: Fields): Log {
  const at = (level: "debug" | "info" | "warn" | "error") => {
    // This is decided first, so that a line below the level costs nothing to prepare.
    if (LEVELS.indexOf(level) < manner.least) return () => {};
    const line = lineWith(level, about);
    return (event: string, fields: Fields = {}): void => {
      manner.write(line(event, presentable(fields, manner)));
      // The last line before a crash is often an error.
      if (level === "error") manner.flush();
    };
  };
  return {
    infoEnabled: LEVELS.indexOf("info") >= manner.least,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => logWith(manner, { ...about, ...presentable(fields, manner) }),
  };
}

/**
 * A name stands once in a line: a call's field replaces the child's, and none replaces `level`, `ts` or `event`. What all
 * lines of a log share is written out once.
 */
function lineWith(level: string, about: Fields): (event: string, fields: Fields) => string {
  const { level: _level, ts: _ts, event: _event, ...shared } = about;
  const isTaken = (name: string) => name in shared || name === "level" || name === "ts" || name === "event";
  const head = `{"level":"${level}","ts":"`;
  const sharedText = inner(shared);
  return (event, fields) => {
    if (Object.keys(fields).some(isTaken)) return lineWith(level, { ...shared, ...fields })(event, {});
    return `${head}${timestamp()}"${sharedText}${inner(fields)},"event":${JSON.stringify(event)}}\n`;
  };
}

/** The fields without the braces around them, behind a comma. */
function inner(fields: Fields): string {
  const json = JSON.stringify(fields);
  return json === "{}" ? "" : `,${json.slice(1, -1)}`;
}

let stampedAt = Number.NaN;
let stamp = "";

/** The timestamp of now. It is cached, because many lines share a millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== stampedAt) {
    stamp = new Date(now).toISOString();
    stampedAt = now;
  }
  return stamp;
}
