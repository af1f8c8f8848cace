import type { Explanation } from "../../client/index.ts";
import { defineCommand } from "../arguments/command.ts";
import { REMOTE, WATCH } from "../arguments/flags.ts";
import { withClient } from "../connect.ts";
import { oneLine, relative } from "../output/format.ts";
import { show } from "../output/show.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: { ...WATCH, ...REMOTE },
  about: "Lists every reason with its code, the decisive one first, and what to do next. Works for any job state.",
  examples: ["explain job_4fQ81xZa", "explain job_4fQ81xZa --watch"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, (client) => show(flags, () => client.explain(id), explained));
  },
});

export function explained({ jobId, state, reasons, next }: Explanation, now = Date.now()): string {
  const width = Math.max(...reasons.map(({ code }) => code.length));
  const lines = reasons.map(({ code, message, until }) => {
    const when = until === undefined ? "" : ` (${relative(until, now)})`;
    return `  ${code.padEnd(width)}  ${oneLine(message)}${when}`;
  });
  return [`${jobId}  ${state}`, ...lines, ...(next === undefined ? [] : ["", oneLine(next)])].join("\n");
}
