// The log of an engine that was given none: warnings, errors and the output of isolated processors, on standard error. A terminal
// gets lines for people; a file or a pipe gets one line of JSON each, for the collector that reads it.

import { createLog, type Log, silentLog } from "./log.ts";
import { type Fields, presentable } from "./presentable.ts";

/** The caller of `submit` has these as an error already. */
const TOLD_TO_THE_CALLER: ReadonlySet<string> = new Set(["submission refused", "rate limited"]);
/** What a processor prints is shown, whatever its level: its author printed it to be read. */
const OUTPUT = "processor output";

type Level = "info" | "warn" | "error";

export function stderrLog(): Log {
  return filtered(process.stderr.isTTY ? linesForPeople({}) : jsonLines());
}

function filtered(log: Log): Log {
  const at = (level: "warn" | "error") => (event: string, fields?: Fields) => {
    if (!TOLD_TO_THE_CALLER.has(event)) write(log, level, event, fields);
  };
  return {
    ...silentLog,
    info: (event, fields) => {
      if (event === OUTPUT) write(log, "info", event, fields);
    },
    warn: at("warn"),
    error: at("error"),
    child: (fields) => filtered(log.child(fields)),
  };
}

function write(log: Log, level: Level, event: string, fields?: Fields): void {
  log[level](event, fields);
}

function jsonLines(): Log {
  return createLog({
    level: "info",
    format: "json",
    destination: { write: (line) => void process.stderr.write(line) },
  });
}

function linesForPeople(about: Fields): Log {
  const at =
    (level: Level) =>
    (event: string, fields: Fields = {}) => {
      process.stderr.write(lineOf(level, event, presentable({ ...about, ...fields }, { withStack: false })));
    };
  return {
    ...silentLog,
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => linesForPeople({ ...about, ...fields }),
  };
}

/** `millrace: error: dead-lettered jobId=job_4fQ81xZa error="No such host."` */
function lineOf(level: Level, event: string, fields: Fields): string {
  if (event === OUTPUT) return outputLine(fields);
  const words = Object.entries(fields).map(
    ([name, value]) =>
      ` ${name}=${typeof value === "string" && /^[\w.:/#-]+$/.test(value) ? value : JSON.stringify(value)}`,
  );
  return `millrace: ${level}: ${event}${words.join("")}\n`;
}

/** `mail/render job_4fQ81xZa: 3 pages drawn` */
function outputLine({ kind, stage, jobId, line }: Fields): string {
  const subject = jobId === undefined ? `${kind}/${stage}` : `${kind}/${stage} ${jobId}`;
  return `${subject}: ${line}\n`;
}
