import { defineCommand, UsageError } from "../../arguments/command.ts";
import { DLQ_FILTER, DRY_RUN, filterOf, given, oneOf, REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { targetOf, tellMany } from "../../many.ts";

export const command = defineCommand({
  args: ["[id...]"],
  flags: {
    ...DLQ_FILTER,
    all: { type: "boolean", doc: "every dead letter" },
    "per-second": { type: "string", value: "<n>", doc: "start at most this many new jobs a second" },
    from: {
      type: "string",
      value: "<stage>",
      choices: ["failed-stage", "start"],
      doc: "first stage to run: failed-stage (default) or start",
    },
    ...DRY_RUN,
    ...REMOTE,
  },
  examples: [
    "dlq revive job_4fQ81xZa",
    "dlq revive --code timeout --since 1h --per-second 5",
    "dlq revive --all --dry-run",
  ],
  async run({ args: ids, flags }) {
    const { "dry-run": dryRun } = flags;
    const target = targetOf(ids, filterOf(flags), flags.all);
    const from = flags.from === undefined ? undefined : oneOf("from", flags.from, ["failed-stage", "start"]);
    const perSecond = flags["per-second"] === undefined ? undefined : rate(flags["per-second"]);
    return withClient(flags, async (client) => {
      const answer = await client.deadLetters.revive({ ...target, ...given({ dryRun, perSecond, from }) });
      return tellMany(flags, answer, "revived", ids.length > 0 ? ids : undefined);
    });
  },
});

function rate(text: string): number {
  const value = Number(text);
  if (!(value >= 0.01 && value <= 10_000)) {
    throw new UsageError(`--per-second is "${text}". Allowed: a number from 0.01 to 10000.`);
  }
  return value;
}
