// runtimes: bun
// time-limit: 300 s
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { temporaryFolder } from "../support/program.ts";
import { type FixtureSite, fixtureWeb } from "./support/fixture-web.ts";
import { modelServer } from "./support/model-server.ts";
import { siteServer, untilRun } from "./support/server.ts";

const PROMPTS = Array.from(
  { length: 10 },
  (_, i) => `Which cargo bike number ${i + 1} would you buy for two children?`,
);
/** Calls of one job at the same time. */
const IN_FLIGHT = 4;
/** `SITE_KILLS=20 node scripts/test.js --runtime bun test/sites/kill` takes two minutes. */
const TIMES = Number(process.env["SITE_KILLS"] ?? 3);

/** Each crash doubles the pause before the next attempt; twenty of them would take hours. */
const SOON = { RETRY_BASE_MS: "1", RETRY_MAX_MS: "50" };

async function killable(t: TestContext, shop: FixtureSite, env: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(t);
  const start = () =>
    siteServer(
      t,
      [shop],
      { ...env, SITE_MODELS: "server/plain", LEASE_TIMEOUT_SEC: "1", MAX_CRASHES: "100", ...SOON },
      folder,
    );
  const kill = async ({ program }: Awaited<ReturnType<typeof start>>) => {
    process.kill(-(program.child.pid as number), "SIGKILL");
    await program.ended();
  };
  return { start, kill };
}

describe("kill -9 in the middle of a run", () => {
  test("seven answers that came are not asked for again", async (t) => {
    const { shop } = await fixtureWeb(t, "shop");
    let open = false;
    const models = await modelServer(t, async () => {
      // From the eighth on nobody answers, until the server has been killed.
      if (models.asked.length > 7 && !open) await new Promise(() => {});
      return { content: `Pedalwerk, answer ${models.asked.length}.` };
    });
    const { start, kill } = await killable(t, shop, models.env);
    const first = await start();
    const run = await first.client.sites.submit({ url: shop.url, prompts: PROMPTS, samples: 1 });
    await untilRun(
      first.client,
      run.jobId,
      (view) => view.cells.filter(({ state }) => state === "answered").length === 7 || undefined,
    );
    await untilRun(first.client, run.jobId, () => models.asked.length === 10 || undefined);
    const stored = (await first.client.steps(run.jobId)).filter(({ name }) => name.startsWith("try "));
    await kill(first);
    open = true;
    const second = await start();
    const job = await second.client.wait(run.jobId, { timeoutMs: 60_000 });
    assert.equal(job.status, "completed", job.error);
    assert.equal(models.asked.length, 10 + 3, "the three in flight were asked again, and nothing else");
    const report = await second.client.sites.report(run.jobId);
    assert.equal(report.answers.filter(({ status }) => status === "ok").length, 10);
    assert.equal(report.cost.perhapsTwice, 3);
    const kept = report.answers.map(({ text }) => text);
    for (const { value } of stored) assert.ok(kept.includes((value as { reply: { text: string } }).reply.text));
  });

  test(`at ${TIMES} moments, in any stage: requests are never more than answers and calls in flight`, {
    timeout: 60_000 + TIMES * 10_000,
  }, async (t) => {
    const { shop } = await fixtureWeb(t, "shop");
    const models = await modelServer(t, async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return { content: "Pedalwerk." };
    });
    const { start, kill } = await killable(t, shop, models.env);
    const first = await start();
    const run = await first.client.sites.submit({ url: shop.url, prompts: PROMPTS, samples: 3 });
    let server = first;
    for (let i = 0; i < TIMES; i++) {
      // A fact to wait on and then a moment of chance: each kill lands somewhere else.
      const answers = Math.floor((i * 30) / TIMES);
      await untilRun(
        server.client,
        run.jobId,
        (view) => view.cells.filter(({ state }) => state === "answered").length >= answers || undefined,
      );
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
      await kill(server);
      server = await start();
    }
    const job = await server.client.wait(run.jobId, { timeoutMs: 60_000 });
    assert.equal(job.status, "completed", job.error);
    const report = await server.client.sites.report(run.jobId);
    assert.equal(report.answers.filter(({ status }) => status === "ok").length, 30, "no answer is lost");
    assert.ok(models.asked.length <= 30 + IN_FLIGHT * TIMES, `${models.asked.length} requests`);
    assert.equal(shop.asked.filter((path) => path === "/pricing").length <= 1 + TIMES, true);
  });
});
