// Log lines as they are searched, shown and saved. Pure, so that tests need no browser.

import type { LogLine } from "../../../src/client/index.ts";
import { clock } from "../../lib/format.ts";

export type Level = "debug" | "info" | "warn" | "error";

const ORDER: readonly string[] = ["debug", "info", "warn", "error"];

/** The lines of this level and above with this text in message or data, whatever its case. */
export function matchingLines(lines: readonly LogLine[], search: string, level: Level): readonly LogLine[] {
  const least = ORDER.indexOf(level);
  const wanted = search.trim().toLowerCase();
  if (least === 0 && wanted === "") return lines;
  return lines.filter((line) => {
    // A level that this page does not know is shown.
    const place = ORDER.indexOf(line.level);
    if (place !== -1 && place < least) return false;
    return wanted === "" || `${line.message} ${dataOf(line)}`.toLowerCase().includes(wanted);
  });
}

/** The lines as a text file. */
export function logText(lines: readonly LogLine[]): string {
  return lines
    .map((line) => `${line.at} ${line.level} ${line.message} ${dataOf(line)}`.trimEnd())
    .join("\n")
    .concat("\n");
}

/** The time of day with milliseconds. */
export function clockWithMs(at: number): string {
  return `${clock(at, true)}.${String(at % 1_000).padStart(3, "0")}`;
}

function dataOf({ data }: LogLine): string {
  return data === undefined ? "" : JSON.stringify(data);
}
