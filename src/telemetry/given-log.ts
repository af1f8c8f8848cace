// The log that a program hands in, or what stands in its place.

import { type Log, silentLog } from "./log.ts";
import { type Fields, presentable } from "./presentable.ts";

/** What `console` and most loggers have. */
export interface LogMethods {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/** `console` will do; `false` silences the engine. */
export type GivenLog = Log | LogMethods | false;

const LEVELS = ["debug", "info", "warn", "error"] as const;

export function logProblem(given: unknown): string | undefined {
  if (given === undefined || given === false) return undefined;
  const methods = given as Partial<Record<string, unknown>> | null;
  const isLogger = typeof given === "object" && LEVELS.every((level) => typeof methods?.[level] === "function");
  return isLogger ? undefined : "log must have the methods debug, info, warn and error, as console has, or be false";
}

/** Without one, warnings and errors go to standard error: an engine in trouble must not be silent. */
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

/** The caller of `submit` has these as an error already. */
const TOLD_TO_THE_CALLER: ReadonlySet<string> = new Set(["submission refused", "rate limited"]);

function stderrLog(about: Fields = {}): Log {
  const at =
    (level: "warn" | "error") =>
    (event: string, fields: Fields = {}) => {
      if (!TOLD_TO_THE_CALLER.has(event)) process.stderr.write(lineOf(level, event, { ...about, ...fields }));
    };
  return { ...silentLog, warn: at("warn"), error: at("error"), child: (fields) => stderrLog({ ...about, ...fields }) };
}

/** `millrace: error: dead-lettered jobId=job_4fQ81xZa error="No such host."` */
function lineOf(level: string, event: string, fields: Fields): string {
  const words = Object.entries(presentable(fields, { withStack: false })).map(
    ([name, value]) =>
      ` ${name}=${typeof value === "string" && /^[\w.:/#-]+$/.test(value) ? value : JSON.stringify(value)}`,
  );
  return `millrace: ${level}: ${event}${words.join("")}\n`;
}
