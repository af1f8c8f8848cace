import type { DeadLetterCause, DeadLetterCauses } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { DLQ_FILTER, filterOf, REMOTE, WATCH, whole } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { plural, relative } from "../../output/format.ts";
import { paint } from "../../output/paint.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

const SORTS = ["count", "last", "first", "kind"] as const;

export const command = defineCommand({
  flags: {
    ...DLQ_FILTER,
    search: { type: "string", value: "<text>", doc: "only causes with this text in message, code, kind or stage" },
    sort: { type: "string", value: "<order>", choices: SORTS, doc: "count (default), last, first or kind" },
    limit: { type: "string", value: "<n>", doc: "limit (default 20, at most 500)" },
    ...WATCH,
    ...REMOTE,
  },
  examples: ["dlq causes --since 1d", "dlq causes --search timeout --sort last"],
  async run({ flags }) {
    const limit = whole("limit", flags.limit ?? "20", { min: 1, max: 500 });
    const sort = SORTS.find((each) => each === flags.sort);
    return withClient(flags, (client) =>
      show(flags, () => client.deadLetters.causes({ ...filterOf(flags), limit, ...(sort && { sort }) }), drawn),
    );
  },
});

function drawn({ causes, groupCount, total }: DeadLetterCauses, now: number): string {
  if (causes.length === 0) return "No dead letters.";
  const rows = table<DeadLetterCause>(
    [
      { title: "COUNT", value: ({ count }) => count, align: "right" },
      { title: "FINGERPRINT", value: ({ fingerprint }) => fingerprint },
      { title: "KIND", value: ({ kind, stage }) => `${kind}/${stage}`, most: 40 },
      { title: "CODE", value: ({ code }) => code, most: 30 },
      { title: "FIRST", value: ({ firstAt }) => relative(firstAt, now), align: "right" },
      { title: "LAST", value: ({ lastAt }) => relative(lastAt, now), align: "right" },
      { title: "CAUSE", value: ({ pattern }) => pattern, style: () => "red", stretch: true, most: 100 },
    ],
    causes,
    process.stdout.columns,
  );
  return `${rows}\n${paint("dim", `${causes.length} of ${plural(groupCount, "cause")}, ${plural(total, "dead letter")}`)}`;
}
