import { defineCommand, REMOTE, tell, UsageError, withClient } from "millrace/cli";
import { sites } from "../client.ts";
import { siteBudget } from "./site-budget.ts";

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    calls: { type: "string", value: "<n>", doc: "new limit: model calls of the whole run" },
    tokens: { type: "string", value: "<n>", doc: "new limit: tokens of the whole run" },
    usd: { type: "string", value: "<amount>", doc: "new limit: US dollars of the whole run" },
    finish: { type: "boolean", doc: "make no more model calls and report the answers so far" },
    ...REMOTE,
  },
  examples: ["sites budget job_4fQ81xZa --calls 60", "sites budget job_4fQ81xZa --finish"],
  async run({ args: [id = ""], flags }) {
    const budget = siteBudget(flags);
    if ((budget === undefined) !== (flags.finish === true))
      throw new UsageError("Give either a budget (--calls, --tokens or --usd) or --finish.");
    return withClient(flags, async (client) => {
      const job = budget
        ? await client.with(sites).sites.raiseBudget(id, budget)
        : await client.with(sites).sites.finish(id);
      return tell(flags, job, `${job.jobId}  ${job.status}`);
    });
  },
});
