import { resolve } from "node:path";
import { type MoveProgress, type MoveReport, move } from "../../move/move.ts";
import { defineCommand, UsageError } from "../arguments/command.ts";
import { plural } from "../output/format.ts";
import { tell } from "../output/show.ts";

export const command = defineCommand({
  flags: {
    from: { type: "string", value: "<file>", doc: "SQLite file (required)" },
    to: { type: "string", value: "<url>", doc: "PostgreSQL database: postgres://user:password@host/name (required)" },
    drain: { type: "boolean", doc: "stop all processes that use the file, and wait for them" },
    json: { type: "boolean", doc: "print the result as JSON" },
  },
  about:
    "Moves jobs in every state with attempts, steps, logs and artifacts, and schedules, keys, limits and idempotency records.\n" +
    "If it is interrupted, run it again: it continues. At the end it compares both stores row by row.\n" +
    "Then it marks the file as moved, so that no process can open it any more.",
  examples: ["move --from ./data/jobs.db --to postgres://me@db.internal/jobs --drain"],
  async run({ flags }) {
    if (flags.from === undefined || flags.to === undefined) throw new UsageError("Give --from <file> and --to <url>.");
    const bar = new Bar();
    let report: MoveReport;
    try {
      report = await move({
        from: resolve(flags.from),
        to: flags.to,
        drain: flags.drain ?? false,
        progress: (state) => bar.show(state),
      });
    } finally {
      bar.end();
    }
    return tell(flags, report, drawn(report));
  },
});

function drawn({ tables, resumed }: MoveReport): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const lines = tables
    .filter((table) => table.rows > 0)
    .map(({ table, rows, checksum }) => `  ${table.padEnd(12)} ${String(rows).padStart(10)}  ${checksum.slice(0, 16)}`);
  return [
    `Moved ${plural(rows, "row")}${resumed ? ", continuing an interrupted move" : ""}. Counts and checksums are equal:`,
    ...lines,
    "The file can no longer be opened. Unset JOB_DB_PATH, set DATABASE_URL, and start again.",
  ].join("\n");
}

const WIDTH = 30;

/** The progress, on standard error. It is redrawn in place on a terminal. */
class Bar {
  #shown = "";

  show({ doing, table, done, total }: MoveProgress): void {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const filled = Math.round(share * WIDTH);
    const text =
      doing === "draining"
        ? `draining: ${plural(total, "job")} still running`
        : `${doing} [${"#".repeat(filled)}${".".repeat(WIDTH - filled)}] ${Math.floor(share * 100)} % ${table ?? ""}`;
    if (text === this.#shown) return;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
    else if (text.split(" ").at(-1) !== this.#shown.split(" ").at(-1)) process.stderr.write(`${text}\n`);
    this.#shown = text;
  }

  end(): void {
    if (process.stderr.isTTY && this.#shown !== "") process.stderr.write("\n");
  }
}
