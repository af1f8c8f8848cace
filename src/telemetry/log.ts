import { pino } from "pino";
import { type Fields, presentable } from "./presentable.ts";
import { prettyLine } from "./pretty.ts";
import { inTurns, type TurnWriter } from "./turn-writer.ts";

/** Facts as data: the event is a constant, what varies goes into the fields. */
export interface Log {
  /** Lets a hot path skip making what nobody reads. */
  readonly infoEnabled: boolean;
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  /** The same log with these fields on every line. */
  child(fields: Fields): Log;
}

export interface LogOptions {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  readonly format: "json" | "pretty";
  /** Gets whole lines. Standard output unless set. */
  readonly destination?: { write(line: string): void };
}

export function createLog(options: LogOptions): Log {
  // Written in this thread and in the same turn: pino's transports are worker threads, which Bun bundles differently and
  // which lose the last lines of a process that dies.
  const turns = options.destination ? undefined : inTurns(pino.destination({ dest: 1, sync: true }));
  const output = options.destination ?? (turns as TurnWriter);
  const destination = options.format === "json" ? output : { write: (line: string) => output.write(prettyLine(line)) };
  const logger = pino(
    {
      level: options.level,
      base: null,
      messageKey: "event",
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return wrap(logger, { withStack: options.level === "debug", flush: () => turns?.flush() });
}

let stampedAt = Number.NaN;
let stamp = "";

/** Many lines share a millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== stampedAt) {
    stamp = `,"ts":"${new Date(now).toISOString()}"`;
    stampedAt = now;
  }
  return stamp;
}

export const silentLog: Log = {
  infoEnabled: false,
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};

interface Manner {
  readonly withStack: boolean;
  readonly flush: () => void;
}

function wrap(logger: pino.Logger, show: Manner): Log {
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (event: string, fields: Fields = {}): void => {
      // Asked first, so that a line below the level costs nothing to prepare.
      if (!logger.isLevelEnabled(level)) return;
      logger[level](presentable(fields, show), event);
      // The last words before an end are often these.
      if (level === "error") show.flush();
    };
  return {
    infoEnabled: logger.isLevelEnabled("info"),
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => wrap(logger.child(presentable(fields, show)), show),
  };
}
