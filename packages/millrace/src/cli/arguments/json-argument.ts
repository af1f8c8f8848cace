import { readFileSync } from "node:fs";
import { UsageError } from "./command.ts";

/** Parses JSON, `@file` for the content of a file, or `-` for standard input. */
export function jsonArgument(what: string, text: string): unknown {
  const { source, json } = read(what, text);
  try {
    return JSON.parse(json);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const hint = text.startsWith("@") || text === "-" ? "" : ` In most shells it needs quotes: '{"text": "hello"}'.`;
    throw new UsageError(`${what}${source} is not JSON: ${why}.${hint}`);
  }
}

function read(what: string, text: string): { source: string; json: string } {
  if (text !== "-" && !text.startsWith("@")) return { source: "", json: text };
  const file = text === "-" ? 0 : text.slice(1);
  try {
    return { source: text === "-" ? " from standard input" : ` in ${file}`, json: readFileSync(file, "utf8") };
  } catch (error) {
    const source = text === "-" ? "standard input" : `the file ${file}`;
    throw new UsageError(`${what} could not be read from ${source}: ${(error as Error).message}.`);
  }
}
