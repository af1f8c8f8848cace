// runtimes: bun
import assert from "node:assert/strict";
import { test } from "node:test";
import { fixtureWeb } from "./support/fixture-web.ts";
import { siteServer } from "./support/server.ts";

const HOUR_MS = 3_600_000;

test("a site takes the options of every submission, by the client, the API and the command line", async (t) => {
  const { bakery, shop, slow } = await fixtureWeb(t, "bakery", "shop", "slow");
  const { client, url, json, call } = await siteServer(t, [bakery, shop, slow]);

  const options = { priority: 7, delayMs: HOUR_MS, maxRetries: 2, expiresInMs: 2 * HOUR_MS, tags: ["nightly", "eu"] };
  const job = await client.get(await client.sites.submit({ url: bakery.url, ...options }));
  assert.deepEqual([job.priority, job.maxAttempts, job.status], [7, 2, "not-started"]);
  assert.deepEqual(job.tags.slice(0, 2), options.tags);
  assert.ok(Math.abs(Date.parse(job.runAt) - Date.now() - HOUR_MS) < 600_000);

  const runAt = new Date(Date.now() + 24 * HOUR_MS).toISOString();
  const later = await json("sites", "submit", shop.url, "--run-at", runAt, "--priority", "3", "--tag", "weekly");
  const shown = await client.get(later.jobId);
  assert.deepEqual([shown.runAt, shown.priority, shown.tags[0]], [runAt, 3, "weekly"]);

  const quick = await client.sites.submit({ url: slow.url, timeoutMs: 500, maxRetries: 1 });
  const ended = await client.wait(quick, { timeoutMs: 60_000 });
  assert.deepEqual([ended.status, ended.error], ["failed", "Timed out after 500 ms."]);

  await assert.rejects(client.sites.submit({ url: bakery.url, runAt, delayMs: 1 }), /either runAt or delayMs/);
  const twenty = Array.from({ length: 20 }, (_, i) => `tag${i}`);
  await assert.rejects(client.sites.submit({ url: bakery.url, tags: twenty }), { code: "invalid-request" });
  assert.equal((await call("sites", "submit", bakery.url, "--delay", "soon")).code, 2);
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, unknown> };
  const documented = JSON.stringify(paths["/sites"]);
  for (const name of ["priority", "runAt", "delayMs", "maxRetries", "timeoutMs", "expiresInMs", "tags"])
    assert.ok(documented.includes(`"${name}"`), name);
});

test("STUCK_AFTER_MS is the time limit of a site's stages; a model's calls have room for themselves", async (t) => {
  const { url } = await siteServer(t, [], { STUCK_AFTER_MS: "45000", MODEL_TIMEOUT_MS: "20000" });
  const { kinds } = (await (await fetch(`${url}/kinds`)).json()) as { kinds: { kind: string; stages: Stage[] }[] };
  const stages = kinds.find(({ kind }) => kind === "site")?.stages.map(({ stage, timeoutMs }) => [stage, timeoutMs]);
  assert.deepEqual(stages, [
    ["website-analysis", 45_000],
    ["prompt-forming", 45_000],
    ["model-analysis", 60_000],
  ]);
});

interface Stage {
  stage: string;
  timeoutMs: number;
}
