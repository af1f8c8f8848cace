import type { Limiter } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, WATCH } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { relative } from "../../output/format.ts";
import { ruleInWords } from "../../output/limits.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: { ...WATCH, ...REMOTE },
  examples: ["limiters --watch"],
  async run({ flags }) {
    return withClient(flags, (client) =>
      show(flags, async () => ({ limiters: await client.limits.limiters() }), drawn),
    );
  },
});

function drawn({ limiters }: { limiters: readonly Limiter[] }, now: number): string {
  if (limiters.length === 0) return "No limiters. Define them in Millrace.open({ limiters }).";
  return table<Limiter>(
    [
      { title: "LIMITER", value: ({ name }) => name, most: 64 },
      { title: "RULE", value: ({ rule }) => ruleInWords(rule), most: 60 },
      { title: "SET BY", value: ({ isSet }) => (isSet ? "operator" : "code") },
      { title: "LEFT", value: ({ left }) => Math.floor(left), align: "right" },
      { title: "BLOCKED", value: ({ blockedUntil }) => (blockedUntil ? relative(blockedUntil, now) : "") },
      { title: "TODAY", value: ({ usedToday }) => usedToday ?? "", align: "right" },
    ],
    limiters,
    process.stdout.columns,
  );
}
