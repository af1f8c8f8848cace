import type { DeadLetter, DeadLetterList } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { DLQ_FILTER, filterOf, REMOTE, WATCH, whole } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { relative } from "../../output/format.ts";
import { paint } from "../../output/paint.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: {
    ...DLQ_FILTER,
    limit: { type: "string", value: "<n>", doc: "limit (default 20, at most 500)" },
    offset: { type: "string", value: "<n>", doc: "skip this many (default 0)" },
    ...WATCH,
    ...REMOTE,
  },
  examples: ["dlq list --since 1d", "dlq list --kind text --code text-failed --json"],
  async run({ flags }) {
    const limit = whole("limit", flags.limit ?? "20", { min: 1, max: 500 });
    const offset = whole("offset", flags.offset ?? "0", { min: 0, max: 1_000_000 });
    return withClient(flags, (client) =>
      show(flags, () => client.deadLetters.list({ ...filterOf(flags), limit, offset }), drawn),
    );
  },
});

function drawn({ items, total }: DeadLetterList, now: number): string {
  if (items.length === 0) return "No dead letters.";
  const tenants = new Set(items.map(({ tenant }) => tenant)).size > 1;
  const rows = table<DeadLetter>(
    [
      { title: "JOB", value: ({ jobId }) => jobId },
      { title: "KIND", value: ({ kind, stage }) => `${kind}/${stage}`, most: 40 },
      { title: "TENANT", value: ({ tenant }) => (tenants ? tenant : ""), most: 20 },
      { title: "FAILED", value: ({ failedAt }) => relative(failedAt, now), align: "right" },
      { title: "TRIES", value: ({ retries }) => retries, align: "right" },
      { title: "ERROR", value: ({ lastError }) => lastError, style: () => "red", stretch: true, most: 100 },
    ],
    items,
    process.stdout.columns,
  );
  return total > items.length ? `${rows}\n${paint("dim", `${items.length} of ${total}`)}` : rows;
}
