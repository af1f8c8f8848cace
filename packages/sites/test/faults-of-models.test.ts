// runtimes: bun
// What providers do beside answering: quotas, overload, dropped connections, caps. Each is told in words, and nothing is hidden.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { scaled } from "../../../test/support/slowness.ts";
import { fixtureWeb } from "./support/fixture-web.ts";
import { siteServer } from "./support/server.ts";

interface RawRequest {
  readonly model: string;
  readonly max_tokens?: number;
  readonly reasoning_effort?: string;
  readonly nth: number;
}
type RawReply = { status: number; body: unknown; headers?: Record<string, string> } | "drop";

/** A compatible server whose raw answers are known. */
async function rawServer(t: TestContext, reply: (request: RawRequest) => RawReply) {
  const asked: RawRequest[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const body = { ...JSON.parse(text), nth: asked.length } as RawRequest;
      asked.push(body);
      const answer = reply(body);
      if (answer === "drop") return void request.socket.destroy();
      response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
      response.end(JSON.stringify(answer.body));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { asked, env: { MODEL_SERVER_URL: url, MODEL_REQUESTS_PER_MINUTE: "100000", RETRY_BASE_MS: "10" } };
}

const answered = (content: string, finish = "stop"): RawReply => ({
  status: 200,
  body: {
    id: "x",
    model: "m",
    created: 1,
    choices: [{ index: 0, finish_reason: finish, message: { role: "assistant", content } }],
    usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
  },
});
const PROMPTS = Array.from({ length: 10 }, (_, i) => `Which cargo bike number ${i + 1} carries two children?`);

async function ended(t: TestContext, reply: (request: RawRequest) => RawReply, request: object = {}) {
  const { shop } = await fixtureWeb(t, "shop");
  const { asked, env } = await rawServer(t, reply);
  const { client } = await siteServer(t, [shop], { ...env, SITE_MODELS: "server/m" });
  const run = await client.sites.submit({ url: shop.url, prompts: PROMPTS, samples: 2, ...request });
  const job = await client.wait(run, { timeoutMs: scaled(60_000) });
  return { asked, job, report: await client.sites.report(run) };
}

test("a quota that is used up ends the run after six requests at most, and says so", async (t) => {
  const body = { error: { message: "You exceeded your current quota.", code: "insufficient_quota" } };
  const { asked, job, report } = await ended(t, () => ({ status: 429, body, headers: { "retry-after": "10" } }));
  assert.ok(asked.length <= 6, String(asked.length));
  assert.equal(job.status, "failed");
  assert.match(job.error ?? "", /quota or credit is used up \(429\)/);
  assert.deepEqual(new Set(report.answers.map(({ verdict }) => verdict)), new Set(["not-measured"]));
});

test("an overloaded provider is asked again, not before it said", async (t) => {
  const at: number[] = [];
  const { job, report } = await ended(
    t,
    ({ nth }) => {
      at.push(performance.now());
      return nth === 0 ? { status: 503, body: {}, headers: { "retry-after": "2" } } : answered("Pedalwerk.");
    },
    { prompts: PROMPTS.slice(0, 1), samples: 1 },
  );
  assert.equal(job.status, "completed", job.error);
  assert.equal(report.answers[0]?.status, "ok");
  assert.ok((at[1] ?? 0) - (at[0] ?? 0) >= 1_950);
});

test("a dropped connection may have been billed: it is asked twice at most, and counted", async (t) => {
  const { asked, report } = await ended(t, ({ nth }) => (nth < 4 ? "drop" : answered("Pedalwerk.")), {
    prompts: PROMPTS.slice(0, 6),
    samples: 1,
    budget: { calls: 50 },
  });
  assert.equal(report.cost.perhapsBilled, 4);
  assert.equal(report.cost.perhapsTwice, 0);
  assert.ok(asked.length <= 6 + 4);
});

test("an answer may have 8,000 tokens, or what the run says, and a run keeps what it began with", async (t) => {
  const { asked, report } = await ended(t, () => answered("Pedalwerk is a good choice."), {
    prompts: PROMPTS.slice(0, 2),
    samples: 1,
  });
  assert.deepEqual(new Set(asked.map(({ max_tokens }) => max_tokens)), new Set([8_000]));
  assert.deepEqual(report.method.parameters["modelOptions"], { "server/m": { maxOutputTokens: 8_000 } });
  const own = await ended(t, () => answered("Pedalwerk."), {
    prompts: PROMPTS.slice(0, 2),
    samples: 1,
    modelOptions: { "server/m": { maxOutputTokens: 500, reasoningEffort: "low" } },
  });
  assert.deepEqual(
    own.asked.map(({ max_tokens, reasoning_effort }) => [max_tokens, reasoning_effort]),
    [
      [500, "low"],
      [500, "low"],
    ],
  );
});

test("a call that is too large for the rest of the budget does not stop smaller ones, and finishing reports", async (t) => {
  const { shop } = await fixtureWeb(t, "shop");
  const { asked, env } = await rawServer(t, () => answered("Pedalwerk."));
  const { client } = await siteServer(t, [shop], { ...env, SITE_MODELS: "server/large,server/small" });
  const run = await client.sites.submit({
    url: shop.url,
    prompts: PROMPTS.slice(0, 3),
    samples: 1,
    budget: { tokens: 3_000 },
    modelOptions: { "server/large": { maxOutputTokens: 4_000 }, "server/small": { maxOutputTokens: 200 } },
  });
  for (;;) {
    const view = await client.sites.get(run);
    if (view.waitsFor === "budget") break;
    assert.notEqual(view.job.state, "completed");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.deepEqual(new Set(asked.map(({ model }) => model)), new Set(["small"]));
  assert.equal(asked.length, 3);
  await client.sites.finish(run);
  const job = await client.wait(run, { timeoutMs: scaled(60_000) });
  assert.equal(job.status, "completed", job.error);
  const { byModel } = await client.sites.report(run);
  assert.deepEqual(
    byModel.map(({ ref, measured }) => [ref, measured]),
    [
      ["server/large", false],
      ["server/small", true],
    ],
  );
});

test("a budget is spent by what calls took, not by what each of them had to reserve", async (t) => {
  const { asked, job, report } = await ended(t, () => answered("Pedalwerk."), {
    prompts: PROMPTS,
    samples: 1,
    // Two calls of 4,000 tokens at most fit at once; each takes 30.
    budget: { tokens: 9_000 },
    modelOptions: { "server/m": { maxOutputTokens: 4_000 } },
  });
  assert.equal(job.status, "completed", job.error);
  assert.deepEqual([asked.length, report.cost.calls, report.partial], [10, 10, false]);
});
