import { defineCommand, UsageError } from "../../arguments/command.ts";
import { DLQ_FILTER, DRY_RUN, filterOf, given, oneOf, REMOTE, STATUS, whole } from "../../arguments/flags.ts";
import { jsonArgument } from "../../arguments/json-argument.ts";
import { withClient } from "../../connect.ts";
import { targetOf } from "../../many.ts";
import { tellOperation, untilEnded } from "../../output/operation.ts";

const ACTIONS = ["revive", "retry", "cancel", "delete", "release", "reprioritise"] as const;
const PRIORITIES = { min: -1_000_000, max: 1_000_000 };

export const command = defineCommand({
  args: ["<action>", "[id...]"],
  flags: {
    ...DLQ_FILTER,
    ...STATUS,
    all: { type: "boolean", doc: "every job, if there is no filter" },
    reason: { type: "string", value: "<text>", doc: "why; cancelled jobs show it" },
    "per-second": { type: "string", value: "<n>", doc: "at most this many jobs a second" },
    from: {
      type: "string",
      value: "<stage>",
      choices: ["failed-stage", "start"],
      doc: "where revived jobs start: failed-stage (default) or start",
    },
    priority: { type: "string", value: "<n>", doc: "the new priority, for reprioritise" },
    answer: { type: "string", value: "<json>", doc: "what released jobs get as their answer" },
    wait: { type: "boolean", doc: "wait until the operation has ended, with a progress bar" },
    ...DRY_RUN,
    ...REMOTE,
  },
  examples: [
    "operations start revive --code timeout --since 1h --dry-run",
    "operations start cancel --kind text --reason 'wrong input' --wait",
    "operations start reprioritise --tag bulk --priority 10",
  ],
  async run({ args: [name = "", ...ids], flags }) {
    const action = oneOf("action", name, ACTIONS);
    const target = targetOf(ids, filterOf(flags), flags.all);
    const { "dry-run": dryRun, reason, wait } = flags;
    const from = flags.from === undefined ? undefined : oneOf("from", flags.from, ["failed-stage", "start"]);
    const priority = flags.priority === undefined ? undefined : whole("priority", flags.priority, PRIORITIES);
    const answer = flags.answer === undefined ? undefined : jsonArgument("--answer", flags.answer);
    const perSecond = flags["per-second"] === undefined ? undefined : rate(flags["per-second"]);
    const rest = given({ dryRun, reason, from, priority, answer, perSecond, ...(flags.all && { all: true }) });
    return withClient(flags, async ({ operations }) => {
      const operation = await operations.start({ action, ...target, ...rest });
      return tellOperation(flags, wait ? await untilEnded(operations, operation) : operation);
    });
  },
});

function rate(text: string): number {
  const value = Number(text);
  if (value >= 0.01 && value <= 100_000) return value;
  throw new UsageError(`--per-second is "${text}". Allowed: a number from 0.01 to 100000.`);
}
