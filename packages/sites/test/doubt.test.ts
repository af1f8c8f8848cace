// runtimes: bun
// No money for doubt: a site that says nothing, or a model that forms no prompts, holds the run before a paid call.

import assert from "node:assert/strict";
import { test } from "node:test";
import { scaled } from "../../../test/support/slowness.ts";
import { analyse } from "../src/index.ts";
import { fixtureWeb } from "./support/fixture-web.ts";
import { modelServer } from "./support/model-server.ts";
import { siteServer, untilRun } from "./support/server.ts";

const isForming = (prompt: string) => prompt.includes("questions that customers would ask");
const PROPOSED = [
  "Which cargo bike carries two children?",
  "How much does a cargo bike cost?",
  "Who repairs cargo bikes?",
];
const GOOD = JSON.stringify({ prompts: PROPOSED.map((text) => ({ text, intent: "category" })) });

test("a site that is empty without JavaScript waits for a person, fails or goes on, as it was asked", async (t) => {
  const { shell } = await fixtureWeb(t, "shell");
  const models = await modelServer(t, () => ({ content: "Pedalwerk." }));
  const { client, json } = await siteServer(t, [shell], { ...models.env, SITE_MODELS: "server/plain" });
  const ended = async (request: object) => {
    const run = await client.sites.submit({ url: shell.url, samples: 1, ...request });
    return client.wait(run, { timeoutMs: scaled(60_000) });
  };
  const failed = await ended({ onDoubt: "fail" });
  assert.equal(failed.failure?.code, "prompts-doubtful");
  assert.match(failed.error ?? "", /so no model was asked\. The pages are empty until JavaScript runs/);
  assert.equal(failed.attempt, 1, "no attempt more would help");

  const held = await json("sites", "submit", shell.url, "--samples", "1", "--on-doubt", "hold");
  const view = await untilRun(client, held.jobId, (each) => (each.waitsFor === "review" ? each : undefined));
  assert.match(view.job.heldFor ?? "", /^waits for review: the prompts are doubtful\. The pages are empty/);
  assert.deepEqual([models.asked.length, view.spent.calls], [0, 0], "not even the call that forms prompts");
  await client.sites.approvePrompts(held.jobId, { prompts: ["Which app plans a garden best?"] });
  const approved = await client.wait(held.jobId, { timeoutMs: scaled(60_000) });
  assert.equal(approved.status, "completed", approved.error);
  assert.deepEqual(
    models.asked.map(({ prompt }) => prompt),
    ["Which app plans a garden best?"],
  );

  const own = await ended({ prompts: ["Which app plans a garden best?"] });
  assert.equal(own.status, "completed");
  assert.match((own.result as { headline: string }).headline, /^The pages of .* are empty until JavaScript runs/);

  const noModel = await ended({ models: [] });
  assert.equal(noModel.status, "completed", "what costs nothing is not held");
});

test("an answer in prose or fences is repaired or read; only one that cannot be used is a doubt", async (t) => {
  const { shop } = await fixtureWeb(t, "shop");
  let answers: string[] = [];
  const models = await modelServer(t, ({ prompt }) =>
    isForming(prompt) ? { content: answers.shift() ?? "" } : { content: "Pedalwerk." },
  );
  const { client } = await siteServer(t, [shop], { ...models.env, SITE_MODELS: "server/plain" });
  const run = async (...said: string[]) => {
    answers = said;
    const before = models.asked.length;
    const { jobId } = await client.sites.submit({ url: shop.url, promptCount: 3, samples: 1, onDoubt: "fail" });
    const job = await client.wait(jobId, { timeoutMs: scaled(60_000) });
    return { job, forming: models.asked.slice(before).filter(({ prompt }) => isForming(prompt)).length };
  };
  const fenced = await run(`Here you are:\n\`\`\`json\n${GOOD}\n\`\`\`\nGood luck!`);
  assert.deepEqual([fenced.job.status, fenced.forming], ["completed", 1]);
  const repaired = await run("I would rather not use JSON.", GOOD);
  assert.deepEqual([repaired.job.status, repaired.forming], ["completed", 2]);
  const report = await client.sites.report(repaired.job.jobId);
  assert.deepEqual(
    report.prompts.prompts.map(({ origin }) => origin),
    ["model:server/plain", "model:server/plain", "model:server/plain"],
  );
  const wrong = await run('{"prompts":[{"text":"<b>buy</b>","intent":"purchase"}]}', "no");
  assert.deepEqual([wrong.job.failure?.code, wrong.forming], ["prompts-doubtful", 2]);
});

test("the library never waits for a person: doubtful prompts are an error, unless it is told to go on", async (t) => {
  const { shell } = await fixtureWeb(t, "shell");
  const models = await modelServer(t, () => ({ content: "Pedalwerk." }));
  const options = {
    samples: 1,
    pageGapMs: 0,
    allow: [shell.place],
    models: ["server/small"],
    providers: { server: { baseUrl: models.env["MODEL_SERVER_URL"] as string, requestsPerMinute: 100_000 } },
  };
  await assert.rejects(analyse(shell.url, options), { name: "AnalyseError", code: "prompts-doubtful" });
  assert.equal(models.asked.length, 0);
  const { report } = await analyse(shell.url, { ...options, onDoubt: "continue" });
  assert.match(report.headline, /empty until JavaScript runs/);
});
