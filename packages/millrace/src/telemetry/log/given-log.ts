// The log that a program hands in, or what stands in its place.

import { other } from "../../lib/options/option.ts";
import { type Log, silentLog } from "./log.ts";
import { type Fields, presentable } from "./presentable.ts";
import { stderrLog } from "./stderr-log.ts";

/** The methods that `console` and most loggers have. */
export interface LogMethods {
  /** Logs an event for developers. */
  debug(message: string, fields?: Fields): void;
  /** Logs a normal event. */
  info(message: string, fields?: Fields): void;
  /** Logs an event that an operator should look at. */
  warn(message: string, fields?: Fields): void;
  /** Logs a failure. */
  error(message: string, fields?: Fields): void;
}

/**
 * A log for `Millrace.open({ log })`: `createLog()`, `console`, or any logger with its methods. `false` silences the
 * engine.
 */
export type GivenLog = Log | LogMethods | false;

const LEVELS = ["debug", "info", "warn", "error"] as const;

/** The option `log` of an engine. */
export const LOG = other<GivenLog>(
  "false, or an object with the methods debug, info, warn and error, such as console",
  isGivenLog,
);

function isGivenLog(given: unknown): boolean {
  if (given === false) return true;
  const methods = given as Partial<Record<string, unknown>> | null;
  return typeof given === "object" && LEVELS.every((level) => typeof methods?.[level] === "function");
}

/** Without a log, warnings and errors go to standard error: an engine in trouble must not be silent. */
export function logOf(given: GivenLog | undefined): Log {
  if (given === undefined) return stderrLog();
  if (given === false) return silentLog;
  return "infoEnabled" in given ? given : adapted(given, {});
}

function adapted(methods: LogMethods, about: Fields): Log {
  const at =
    (level: (typeof LEVELS)[number]) =>
    (event: string, fields: Fields = {}) =>
      methods[level](event, presentable({ ...about, ...fields }, { withStack: false }));
  return {
    infoEnabled: true,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => adapted(methods, { ...about, ...fields }),
  };
}
