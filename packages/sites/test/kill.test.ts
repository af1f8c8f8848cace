// runtimes: bun
// time-limit: 300 s
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { temporaryFolder } from "../../../test/support/program.ts";
import { scaled } from "../../../test/support/slowness.ts";
import { rounds } from "../../../test/support/torture.ts";
import type { Report } from "../src/api/report.ts";
import { type FixtureSite, fixtureWeb } from "./support/fixture-web.ts";
import { modelServer } from "./support/model-server.ts";
import { siteServer, untilRun } from "./support/server.ts";

const PROMPTS = Array.from(
  { length: 10 },
  (_, i) => `Which cargo bike number ${i + 1} would you buy for two children?`,
);
/** Calls of one job at the same time. */
const IN_FLIGHT = 4;
/** 20 take two minutes. */
const TIMES = rounds("SITE_KILLS", 2, 20);

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

/** What must be the same however often it was interrupted: all but its times, its number and what repeating cost. */
function withoutTimes({ jobId: _, createdAt: _at, cost: _cost, site, profile, answers, ...report }: Report) {
  const { fetchedAt: _when, ...rest } = site;
  return {
    ...report,
    site: rest,
    profile: { ...profile, site: rest },
    answers: answers.map(({ ms: _ms, attempts: _attempts, ...answer }) => answer),
  };
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
    const job = await second.client.wait(run.jobId, { timeoutMs: scaled(60_000) });
    assert.equal(job.status, "completed", job.error);
    assert.equal(models.asked.length, 10 + 3, "the three in flight were asked again, and nothing else");
    const report = await second.client.sites.report(run.jobId);
    assert.equal(report.answers.filter(({ status }) => status === "ok").length, 10);
    assert.equal(report.cost.perhapsTwice, 3);
    const kept = report.answers.map(({ text }) => text);
    for (const { value } of stored) assert.ok(kept.includes((value as { reply: { text: string } }).reply.text));
  });

  test("in each stage and at each border between them: the report is that of a run left alone", {
    timeout: 180_000,
  }, async (t) => {
    const { shop } = await fixtureWeb(t, "shop");
    const isForming = (prompt: string) => prompt.includes("questions that customers would ask");
    let door = Promise.resolve();
    const models = await modelServer(t, async ({ prompt }) => {
      await door;
      if (!isForming(prompt)) return { content: `Of ${prompt.length} letters: Pedalwerk.` };
      return {
        content: JSON.stringify({ prompts: PROMPTS.slice(0, 6).map((text) => ({ text, intent: "purchase" })) }),
      };
    });
    const { start, kill } = await killable(t, shop, models.env);
    let server = await start();
    const request = { url: shop.url, promptCount: 5, samples: 1 };
    const alone = await server.client.sites.submit(request);
    assert.equal((await server.client.wait(alone, { timeoutMs: scaled(60_000) })).status, "completed");
    const expected = withoutTimes(await server.client.sites.report(alone));

    const before = models.asked.length;
    // Before the run: its job may be at work before the answer to its submission has come.
    const page = shop.holdBack("/pricing");
    const { jobId } = await server.client.sites.submit(request);
    const restarted = async () => {
      await kill(server);
      server = await start();
    };
    /** Lets the stage that runs end, while nobody may begin the next one. */
    const toTheBorder = async (stage: string, letGo: () => void) => {
      await server.client.pause("site");
      letGo();
      await untilRun(server.client, jobId, (view) => (view.status === stage && !view.inProgress) || undefined);
      await restarted();
      await server.client.resume("site");
    };
    const heldModels = async (asked: number) => {
      await untilRun(server.client, jobId, () => models.asked.length >= asked || undefined);
    };

    await page.asked;
    await kill(server);
    // While nobody asks: a server that is quick to ask again must find the new door, and not the one that is opened here.
    page.letGo();
    const pageAgain = shop.holdBack("/pricing");
    server = await start();
    await pageAgain.asked;
    let { promise, resolve } = Promise.withResolvers<void>();
    door = promise;
    await toTheBorder("prompt-forming", pageAgain.letGo);
    await heldModels(before + 1);
    await restarted();
    await heldModels(before + 2);
    await toTheBorder("model-analysis", () => {
      resolve();
      ({ promise, resolve } = Promise.withResolvers<void>());
      door = promise;
    });
    await heldModels(before + 2 + IN_FLIGHT);
    await restarted();
    resolve();
    const job = await server.client.wait(jobId, { timeoutMs: scaled(60_000) });
    assert.equal(job.status, "completed", job.error);
    const report = await server.client.sites.report(jobId);
    assert.deepEqual(withoutTimes(report), expected);
    assert.equal(report.cost.perhapsTwice, 1 + IN_FLIGHT);
    assert.equal(models.asked.length, before + 1 + 5 + report.cost.perhapsTwice);
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
    const job = await server.client.wait(run.jobId, { timeoutMs: scaled(60_000) });
    assert.equal(job.status, "completed", job.error);
    const report = await server.client.sites.report(run.jobId);
    assert.equal(report.answers.filter(({ status }) => status === "ok").length, 30, "no answer is lost");
    assert.ok(models.asked.length <= 30 + IN_FLIGHT * TIMES, `${models.asked.length} requests`);
    assert.equal(shop.asked.filter((path) => path === "/pricing").length <= 1 + TIMES, true);
  });
});
