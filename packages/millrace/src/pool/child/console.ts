// In the child: `console` marks each line with its level and the job that printed it. Marked lines go down the same pipes as all
// other output, so a child that prints without end waits for its pipe and cannot fill the parent's memory.

import { format } from "node:util";

export type OutputLevel = "info" | "warn" | "error";

export interface MarkedLine {
  level: OutputLevel;
  /** The lease under which it was printed; "" outside of any job. */
  of: string;
  line: string;
}

const METHODS = { log: "info", info: "info", debug: "info", warn: "warn", error: "error" } as const;
/** A control character that text for people does not have. */
const MARK = "\u001e";
// A marked line. `console.group` indents in front of the mark.
const MARKED = new RegExp(`^( *)${MARK}(info|warn|error) ([^${MARK}]*)${MARK}(.*)$`, "s");
const ANY_MARK = new RegExp(`${MARK}(?:info|warn|error) [^${MARK}]*${MARK}`, "g");

/** `lease` gives the name of the lease in hand. */
export function markConsole(lease: () => string): void {
  for (const [method, level] of Object.entries(METHODS) as [keyof typeof METHODS, OutputLevel][]) {
    const print = console[method].bind(console);
    console[method] = (...args: unknown[]) => {
      const mark = `${MARK}${level} ${lease()}${MARK}`;
      print("%s", mark + format(...args).replaceAll("\n", `\n${mark}`));
    };
  }
}

export function markedLine(text: string): MarkedLine | undefined {
  const [, indent = "", level, of = "", line = ""] = MARKED.exec(text) ?? [];
  return level === undefined ? undefined : { level: level as OutputLevel, of, line: indent + line };
}

export function withoutMarks(text: string): string {
  const clean = text.replace(ANY_MARK, "");
  // The text is the end of a longer one, and may begin within a mark.
  return clean.slice(clean.lastIndexOf(MARK) + 1);
}
