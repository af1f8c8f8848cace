// runtimes: bun
// A judge reads each answer once: what it says counts where its words occur in the answer, and nowhere else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { scaled } from "../../../../test/support/slowness.ts";
import { fixtureWeb } from "../support/fixture-web.ts";
import { type Asked, modelServer } from "../support/model-server.ts";
import { siteServer } from "../support/server.ts";

const PROMPTS = Array.from({ length: 4 }, (_, i) => `Which cargo bike number ${i + 1} would you buy for two children?`);
const ANSWERS = [
  "Families around here swear by Pedalwerk. Urban Arrow is sold there too.",
  "Pedalwerk? Look at Urban Arrow instead; its service answers the phone.",
  "Pedalwerk rents bikes for £5 a month.",
  "Any maker will do.",
];

function answerOf({ prompt }: Asked): string {
  return ANSWERS[Number(/number (\d)/.exec(prompt)?.[1]) - 1] ?? "";
}

/** A judge that knows the right label of each sentence. The last of its claims is invented. */
function judgeReply({ prompt }: Asked): string {
  const at = ANSWERS.findIndex((answer) => prompt.includes(answer));
  const company = { name: "Urban Arrow", stance: at === 1 ? "recommended" : "mentioned", quote: "Urban Arrow" };
  const invented = { name: "Tern", stance: "recommended", quote: "Tern is the best of all" };
  const brands = [
    { stance: "recommended", sentiment: "positive", quote: "Families around here swear by Pedalwerk" },
    { stance: "warned", sentiment: "negative", quote: "Pedalwerk? Look at Urban Arrow instead" },
    { stance: "mentioned", sentiment: "neutral", quote: "Pedalwerk rents bikes for £5 a month." },
    { stance: "recommended", sentiment: "positive", quote: "Pedalwerk is wonderful" },
  ];
  const fact = Number(/Fact (\d+): [^\n]*£/.exec(prompt)?.[1] ?? 0);
  const wrong =
    at === 2
      ? [
          { fact, quote: "£5 a month" },
          { fact, quote: "words that nobody wrote" },
        ]
      : [];
  const reply = { brand: brands[at], companies: at < 2 ? [company, invented] : [invented], wrong };
  return `Here is my judgement:\n\`\`\`json\n${JSON.stringify(reply)}\n\`\`\``;
}

test("a judge's claims decide where their words occur, are paid once, and keep to the budget", async (t) => {
  const { shop } = await fixtureWeb(t, "shop");
  const models = await modelServer(t, (asked) => ({
    content: asked.model === "judge" ? judgeReply(asked) : answerOf(asked),
  }));
  const env = { ...models.env, SITE_MODELS: "server/m,server/judge" };
  const { client } = await siteServer(t, [shop], env);
  const run = await client.sites.submit({
    url: shop.url,
    brand: { name: "Pedalwerk", domains: ["pedalwerk.example"] },
    models: ["server/m"],
    judge: "server/judge",
    prompts: PROMPTS,
    samples: 1,
    budget: { calls: 6 },
  });
  for (;;) {
    const { waitsFor, status, error } = await client.sites.get(run.jobId);
    if (waitsFor === "budget") break;
    assert.notEqual(status, "failed", error);
    assert.notEqual(status, "completed");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual([models.of("m").length, models.of("judge").length], [4, 2], "the judge shares the budget");
  await client.sites.raiseBudget(run, { calls: 8 });
  const job = await client.wait(run, { timeoutMs: scaled(60_000) });
  assert.equal(job.status, "completed", job.error);
  assert.deepEqual([models.of("m").length, models.of("judge").length], [4, 4], "nothing is paid twice");
  const report = await client.sites.report(run);
  assert.deepEqual(
    report.answers.map(({ verdict }) => verdict),
    ["recommended", "warned", "mentioned", "absent"],
  );
  assert.deepEqual(report.answers[3]?.judged?.stance, undefined, "its quote does not occur in the answer");
  assert.deepEqual(
    report.sentiment?.map(({ id, k, n }) => [id, k, n]),
    [
      ["sentiment:positive", 1, 3],
      ["sentiment:neutral", 1, 3],
      ["sentiment:negative", 1, 3],
    ],
  );
  assert.deepEqual(
    report.rivalsDiscovered?.map(({ name, answers }) => [name, answers]),
    [["Urban Arrow", 2]],
  );
  assert.deepEqual(
    report.wrongFacts?.map(({ quote }) => quote),
    ["£5 a month"],
  );
  assert.match(report.wrongFacts?.[0]?.fact.quote ?? "", /£/);
  assert.equal(report.method.judge, "server/judge");
  assert.equal(report.cost.calls, 8);
  const page = await client.sites.reportHtml(run);
  assert.match(page, /£5 a month/);
  assert.doesNotMatch(page, /Tern is the best/);
  await assert.rejects(
    client.sites.submit({ url: shop.url, judge: "server/unknown" }),
    /server\/unknown is not available/,
  );
});
