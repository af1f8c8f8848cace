// runtimes: bun
// Web search on: each provider's own tool, the queries it ran, the pages it cites, and never a figure of both kinds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { scaled } from "../../../../test/support/slowness.ts";
import {
  anthropicAnswer,
  chatAnswer,
  type EngineRequest,
  engineServer,
  geminiAnswer,
  openaiAnswer,
} from "../support/engine-server.ts";
import { fixtureWeb } from "../support/fixture-web.ts";
import { siteServer } from "../support/server.ts";

const PROMPTS = ["Which cargo bike carries two children?", "Who repairs cargo bikes in Bristol?"];
const OWN_PAGE = "https://www.pedalwerk.example/mula";
const TEST_PAGE = "https://reviews.example/cargo-bikes";

const MODELS = [
  "openai/gpt-search",
  "anthropic/claude-search",
  "google/gemini-search",
  "perplexity/sonar",
  "server/router",
];

function searched({ path, body }: EngineRequest) {
  const text = "I recommend Pedalwerk.";
  if (path.startsWith("/openai")) return openaiAnswer(text, [TEST_PAGE, OWN_PAGE], "best cargo bike two children");
  if (path.startsWith("/anthropic")) return anthropicAnswer(text, [OWN_PAGE], "cargo bikes compared");
  if (path.startsWith("/google")) {
    const redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/abc";
    return geminiAnswer(text, [{ uri: redirect, title: "reviews.example" }], "cargo bike children");
  }
  if (path.startsWith("/perplexity")) return chatAnswer(text, { citations: [TEST_PAGE, "https://forum.example/t/1"] });
  return chatAnswer(body.web_search_options ? text : "From memory.", {}, [
    { type: "url_citation", url_citation: { url: OWN_PAGE, title: "Mula" } },
  ]);
}

test("models search by their provider's tool, and answers keep queries and cited pages in order", async (t) => {
  const { shop } = await fixtureWeb(t, "shop");
  const engines = await engineServer(t, searched);
  const { client } = await siteServer(t, [shop], { ...engines.env, SITE_MODELS: MODELS.join(",") });
  const run = await client.sites.submit({
    url: shop.url,
    brand: { name: "Pedalwerk", domains: ["pedalwerk.example"] },
    prompts: PROMPTS,
    samples: 1,
    webSearch: true,
    modelOptions: { "google/gemini-search": { maxOutputTokens: 2_000, reasoningEffort: "low" } },
  });
  const job = await client.wait(run, { timeoutMs: scaled(60_000) });
  assert.equal(job.status, "completed", job.error);
  const of = (name: string) => engines.asked.filter(({ path }) => path.startsWith(`/${name}`));
  assert.equal(of("openai")[0]?.body.tools?.[0]?.type, "web_search");
  assert.equal(of("anthropic")[0]?.body.tools?.[0]?.type, "web_search_20250305");
  const [gemini] = of("google");
  assert.equal(gemini?.path, "/google/models/gemini-search:generateContent");
  assert.equal(gemini?.headers["x-goog-api-key"], "test-google");
  assert.deepEqual(gemini?.body.tools, [{ google_search: {} }]);
  assert.deepEqual(gemini?.body.generationConfig, { maxOutputTokens: 2_000, thinkingConfig: { thinkingLevel: "LOW" } });
  assert.equal(of("perplexity")[0]?.path, "/perplexity/chat/completions");
  assert.ok(of("server")[0]?.body.web_search_options);

  const report = await client.sites.report(run);
  const answerOf = (ref: string) => report.answers.find(({ model }) => model.ref === ref);
  assert.ok(report.answers.every(({ grounded, verdict }) => grounded && verdict === "recommended"));
  assert.deepEqual(answerOf("openai/gpt-search")?.sources, [TEST_PAGE, OWN_PAGE]);
  assert.deepEqual(answerOf("openai/gpt-search")?.queries, ["best cargo bike two children"]);
  assert.deepEqual(answerOf("anthropic/claude-search")?.sources, [OWN_PAGE], "a page that was found is not cited yet");
  assert.deepEqual(answerOf("anthropic/claude-search")?.queries, ["cargo bikes compared"]);
  assert.deepEqual(answerOf("google/gemini-search")?.sources, ["https://reviews.example/"], "not Google's redirect");
  assert.equal(answerOf("google/gemini-search")?.text, "I recommend Pedalwerk.", "without its thoughts");
  assert.deepEqual(answerOf("google/gemini-search")?.usage, { inputTokens: 12, outputTokens: 38 });
  assert.deepEqual(answerOf("perplexity/sonar")?.sources, [TEST_PAGE, "https://forum.example/t/1"]);
  assert.deepEqual(answerOf("server/router")?.sources, [OWN_PAGE]);
  const reviews = report.citations.find(({ domain }) => domain === "reviews.example");
  assert.deepEqual([reviews?.answers, reviews?.position], [6, 1]);
  const own = report.citations.find(({ domain }) => domain === "pedalwerk.example");
  assert.deepEqual([own?.class, own?.answers, own?.position], ["own", 6, 1.3]);
  assert.deepEqual(own?.pages, [{ url: OWN_PAGE, answers: 6 }]);
  assert.equal(report.grounding?.counted, "search");
  assert.ok(report.queries?.some(({ query, answers }) => query === "cargo bikes compared" && answers === 2));
  assert.match(await client.sites.reportHtml(run), /searched the web/);
});

test("answers from memory beside answers that searched count in figures of their own", async (t) => {
  const { shop } = await fixtureWeb(t, "shop");
  const engines = await engineServer(t, ({ path }) =>
    path.startsWith("/perplexity")
      ? chatAnswer("I recommend Pedalwerk.", { citations: [TEST_PAGE] })
      : openaiAnswer("Many makers build such bikes.", []),
  );
  const models = ["openai/gpt-memory", "perplexity/sonar"];
  const { client } = await siteServer(t, [shop], { ...engines.env, SITE_MODELS: models.join(",") });
  const brand = { name: "Pedalwerk", domains: ["pedalwerk.example"] };
  const run = await client.sites.submit({ url: shop.url, brand, prompts: PROMPTS, samples: 1 });
  const job = await client.wait(run, { timeoutMs: scaled(60_000) });
  assert.equal(job.status, "completed", job.error);
  assert.equal(
    engines.asked.find(({ path }) => path.startsWith("/openai"))?.body.tools,
    undefined,
    "no search asked for",
  );
  const report = await client.sites.report(run);
  const rate = report.kpis.find(({ id }) => id === "mention-rate");
  assert.deepEqual([rate?.k, rate?.n], [2, 2], "only those that searched");
  assert.deepEqual(
    report.grounding?.other.map(({ k, n }) => [k, n]),
    [[0, 2]],
  );
  assert.deepEqual(
    report.byModel.map(({ mention }) => [mention?.label, mention?.k, mention?.n]),
    [
      ["openai/gpt-memory, from memory", 0, 2],
      ["perplexity/sonar", 2, 2],
    ],
    "each model by what it did",
  );
  assert.match(report.headline, /of 1 model /);
  assert.deepEqual(report.grounding && [report.grounding.search, report.grounding.memory], [2, 2]);
  assert.match(report.headline, /searched the web/);
});

test("Gemini's quota of a minute is waited for, and that of a day ends its calls", async (t) => {
  const { shop } = await fixtureWeb(t, "shop");
  const limited = (quotaId: string) => ({
    status: 429,
    body: {
      error: {
        code: 429,
        message: "You exceeded your current quota, please check your plan and billing details.",
        status: "RESOURCE_EXHAUSTED",
        details: [
          { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId }] },
          { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "0.3s" },
        ],
      },
    },
  });
  let isDayUsedUp = false;
  const engines = await engineServer(t, () => {
    if (isDayUsedUp) return limited("GenerateRequestsPerDayPerProjectPerModel-FreeTier");
    if (engines.asked.length === 1) return limited("GenerateRequestsPerMinutePerProjectPerModel-FreeTier");
    return geminiAnswer("I recommend Pedalwerk.", [], "q");
  });
  const { client } = await siteServer(t, [shop], { ...engines.env, SITE_MODELS: "google/gemini-search" });
  const brand = { name: "Pedalwerk", domains: ["pedalwerk.example"] };
  const first = await client.sites.submit({ url: shop.url, brand, prompts: PROMPTS, samples: 1 });
  const done = await client.wait(first, { timeoutMs: scaled(60_000) });
  assert.equal(done.status, "completed", done.error);
  assert.equal(engines.asked.length, 3);
  isDayUsedUp = true;
  const second = await client.sites.submit({ url: shop.url, brand, prompts: PROMPTS, samples: 5 });
  const failed = await client
    .wait(second, { timeoutMs: scaled(60_000), throwOnFailure: false } as never)
    .catch((error) => error);
  assert.match(JSON.stringify(failed) + String(failed), /quota|models-failed/i);
  assert.ok(engines.asked.length - 3 <= 6, `${engines.asked.length - 3} requests`);
});
