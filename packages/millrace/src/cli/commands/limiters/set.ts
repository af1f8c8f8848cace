import { defineCommand, UsageError } from "../../arguments/command.ts";
import { given, REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { rateOf, ruleInWords } from "../../output/limits.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<name>", "<n/time>"],
  flags: {
    "per-day": { type: "string", value: "<n>", doc: "daily budget (UTC) of all tenants together" },
    "per-tenant-per-day": { type: "string", value: "<n>", doc: "daily budget (UTC) of each tenant" },
    ...REMOTE,
  },
  about: "The rule overrides the code, also after a restart, until millrace limiters reset.",
  examples: ["limiters set openai 60/1m --per-day 10000"],
  async run({ args: [name = "", rate = ""], flags }) {
    const rule = {
      ...rateOf("rate", rate, { least: 1 }),
      ...given({
        perDay: amountOf("per-day", flags["per-day"]),
        perTenantPerDay: amountOf("per-tenant-per-day", flags["per-tenant-per-day"]),
      }),
    };
    return withClient(flags, async (client) => {
      const limiter = await client.limits.setLimiter(name, rule);
      return tell(flags, limiter, `${name}  ${ruleInWords(limiter.rule)}`);
    });
  },
});

function amountOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+(?:\.\d+)?$/.test(text) || Number(text) === 0) {
    throw new UsageError(`--${flag} is "${text}". Allowed: a number above 0.`);
  }
  return Number(text);
}
