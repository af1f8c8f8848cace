import {
  defineCommand,
  given,
  REMOTE,
  SUBMISSION,
  submissionOf,
  tell,
  UsageError,
  waitForJob,
  whole,
  withClient,
} from "millrace/cli";
import { sites } from "../client.ts";
import { siteBudget } from "./site-budget.ts";

export const command = defineCommand({
  args: ["<url>"],
  flags: {
    brand: { type: "string", value: "<name>", doc: "name of the brand (default: found on the site)" },
    competitor: {
      type: "string",
      multiple: true,
      value: "<name>",
      doc: "competitor to look for; repeatable",
    },
    model: {
      type: "string",
      multiple: true,
      value: "<provider/model>",
      doc: "model to ask (default: all configured models); repeatable",
    },
    "no-models": { type: "boolean", doc: "ask no model; answer from the text of the site" },
    prompt: {
      type: "string",
      multiple: true,
      value: "<text>",
      doc: "use this prompt instead of generated ones; repeatable",
    },
    prompts: { type: "string", value: "<n>", doc: "number of prompts to generate" },
    pages: { type: "string", value: "<n>", doc: "maximum number of pages to read" },
    samples: { type: "string", value: "<n>", doc: "answers per prompt and model" },
    calls: { type: "string", value: "<n>", doc: "budget: model calls" },
    tokens: { type: "string", value: "<n>", doc: "budget: tokens" },
    usd: { type: "string", value: "<amount>", doc: "budget: US dollars" },
    locale: { type: "string", multiple: true, value: "<locale>", doc: "ask each prompt for this locale; repeatable" },
    persona: {
      type: "string",
      multiple: true,
      value: "<sentence>",
      doc: "ask each prompt as this person; repeatable",
    },
    "on-doubt": {
      type: "string",
      value: "<hold|fail|continue>",
      doc: "if the prompts may be wrong for the site: hold for approval (default), fail or continue",
    },
    "web-search": { type: "boolean", doc: "let models search the web before they answer" },
    own: { type: "boolean", doc: "the site is yours: also fetch its first page as AI bots see it" },
    judge: {
      type: "string",
      value: "<provider/model>",
      doc: "model that judges each answer, within the budget (default: rules)",
    },
    review: { type: "boolean", doc: "wait for your approval of the prompts before any model call" },
    ...SUBMISSION,
    key: { type: "string", value: "<key>", doc: "idempotency key: a repeated submission returns the first run" },
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
        locales: flags.locale,
        personas: flags.persona,
        webSearch: flags["web-search"],
        judge: flags.judge,
        ownSite: flags.own,
        onDoubt: flags["on-doubt"] === undefined ? undefined : doubt(flags["on-doubt"]),
      }),
      ...submissionOf(flags),
    };
    return withClient(flags, async (client) => {
      const run = await client.with(sites).sites.submit(request, { idempotencyKey: flags.key });
      if (flags.wait) return waitForJob(client, run.jobId, flags);
      return tell(flags, run, `${run.jobId}  ${run.status}`);
    });
  },
});

function doubt(text: string): "hold" | "fail" | "continue" {
  if (text === "hold" || text === "fail" || text === "continue") return text;
  throw new UsageError("--on-doubt must be hold, fail or continue.");
}
