import { defineCommand } from "../../command.ts";
import { withClient } from "../../connect.ts";
import { given, REMOTE, SUBMISSION, submissionOf, whole } from "../../flags.ts";
import { tell } from "../../output/show.ts";
import { siteBudget } from "../../site-budget.ts";
import { waitForJob } from "../../wait-for-job.ts";

export const command = defineCommand({
  args: ["<url>"],
  flags: {
    brand: { type: "string", value: "<name>", doc: "what the site is called; found on it otherwise" },
    competitor: {
      type: "string",
      multiple: true,
      value: "<name>",
      doc: "a rival to look for; may be given several times",
    },
    model: {
      type: "string",
      multiple: true,
      value: "<provider/model>",
      doc: "ask this one; all that are offered otherwise",
    },
    "no-models": { type: "boolean", doc: "ask none: answer from the site's own text" },
    prompt: { type: "string", multiple: true, value: "<text>", doc: "a prompt of your own, instead of formed ones" },
    prompts: { type: "string", value: "<n>", doc: "how many to form" },
    pages: { type: "string", value: "<n>", doc: "pages to read at most" },
    samples: { type: "string", value: "<n>", doc: "answers per prompt and model" },
    calls: { type: "string", value: "<n>", doc: "budget: model calls" },
    tokens: { type: "string", value: "<n>", doc: "budget: tokens" },
    usd: { type: "string", value: "<amount>", doc: "budget: dollars" },
    review: { type: "boolean", doc: "hold for a review of the prompts before money is spent" },
    ...SUBMISSION,
    key: { type: "string", value: "<key>", doc: "idempotency key: the same again gives the first run again" },
    wait: { type: "boolean", doc: "wait for the result and print it; exit code 6 if the run fails" },
    ...REMOTE,
  },
  examples: [
    "sites submit example.com --wait",
    "sites submit example.com --model openai/gpt-5-mini --samples 5 --usd 2 --review",
  ],
  async run({ args: [url = ""], flags }) {
    const number = (name: "prompts" | "pages" | "samples", min: number, max: number) =>
      flags[name] === undefined ? undefined : whole(name, flags[name], { min, max });
    const request = {
      url,
      ...given({
        brand: flags.brand === undefined ? undefined : { name: flags.brand },
        competitors: flags.competitor?.map((name) => ({ name })),
        models: flags["no-models"] ? [] : flags.model,
        prompts: flags.prompt,
        promptCount: number("prompts", 3, 50),
        maxPages: number("pages", 1, 50),
        samples: number("samples", 1, 10),
        budget: siteBudget(flags),
        reviewPrompts: flags.review,
      }),
      ...submissionOf(flags),
    };
    return withClient(flags, async (client) => {
      const run = await client.sites.submit(request, { idempotencyKey: flags.key });
      if (flags.wait) return waitForJob(client, run.jobId, flags);
      return tell(flags, run, `${run.jobId}  ${run.status}`);
    });
  },
});
