// A track from its first run to an alert: frozen prompts, a trend, silence while nothing changes, one POST when something does.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { scaled } from "../../../../test/support/slowness.ts";
import type { SiteTrack } from "../../src/client.ts";
import { fixtureWeb } from "./fixture-web.ts";
import { modelServer } from "./model-server.ts";
import { siteServer } from "./server.ts";

const PROMPTS = Array.from({ length: 6 }, (_, i) => `Which cargo bike number ${i + 1} would you buy for two children?`);

export async function trackJourney(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { shop } = await fixtureWeb(t, "shop");
  let praise = false;
  const models = await modelServer(t, () => ({ content: praise ? "I recommend Pedalwerk." : "I recommend Tern." }));
  const alerts: { event: string; track: string; jobId: string; changes: { id: string }[] }[] = [];
  const listener = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      // The first try meets a server that is down: the alert is repeated, and arrives once.
      if (alerts.length === 0 && !refused) {
        refused = true;
        response.writeHead(503).end();
        return;
      }
      alerts.push(JSON.parse(text));
      response.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  let refused = false;
  await new Promise((resolve) => listener.once("listening", resolve));
  t.after(() => listener.close());
  const place = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const allow = { SITE_ALLOW: `${shop.place},${place}`, RETRY_BASE_MS: "10" };
  const { client } = await siteServer(t, [shop], { ...models.env, SITE_MODELS: "server/m", ...allow, ...env });
  const { tracks } = client.sites;

  const request = {
    url: shop.url,
    brand: { name: "Pedalwerk", domains: ["pedalwerk.example"] },
    competitors: [{ name: "Tern" }],
    prompts: PROMPTS,
    samples: 3,
    every: "7d",
    alertUrl: `http://${place}/hook`,
  };
  const created = await tracks.put("bikes", request);
  assert.deepEqual([created.tenant, created.trend.length], ["default", 0]);
  assert.ok(created.nextAt);
  const first = await untilTrack(
    () => tracks.get("bikes"),
    ({ trend }) => trend.length === 2,
  );
  assert.deepEqual(
    first.trend.map(({ model, k, n }) => [model, k, n]),
    [
      ["all", 0, 18],
      ["server/m", 0, 18],
    ],
  );
  assert.equal(first.changes.length, 0, "the first run has nothing to differ from");
  assert.equal(models.asked.length, 18);
  const runs = await client.sites.list({ domain: shop.place });
  assert.equal(runs.sites.length, 1, "the run is listed under its site");

  // A look before its time runs nothing.
  await client.submit("site-track", { name: "bikes" });
  const look = await client.submit("site-track", { name: "bikes" });
  const looked = await client.wait(look, { timeoutMs: scaled(60_000) });
  assert.deepEqual(looked.result, { outcome: "not-due" });
  assert.equal(models.asked.length, 18);

  // The same prompts each time; only the rhythm is changed, to one that is always due.
  await tracks.put("bikes", { ...request, every: "0 0 1 1 *" });
  const run = async () => {
    const job = await client.wait(await client.submit("site-track", { name: "bikes" }), { timeoutMs: scaled(120_000) });
    assert.equal(job.status, "completed", job.error);
    return job.result as { outcome: string; changed?: boolean };
  };
  assert.deepEqual((await run()).changed, false);
  assert.equal(alerts.length, 0, "nothing changed");
  praise = true;
  assert.deepEqual((await run()).changed, true);
  const changed = await untilTrack(
    () => tracks.get("bikes"),
    ({ changes }) => changes.length > 0,
  );
  assert.equal(changed.trend.length, 6);
  assert.ok(changed.changes[0]?.changes.some(({ id, difference }) => id === "mention-rate" && difference === 1));
  await untilTrack(
    async () => alerts,
    (all) => all.length > 0,
  );
  assert.deepEqual((await run()).changed, false, "it is held against the run that changed");
  assert.equal(alerts.length, 1, "one POST per change");
  assert.deepEqual([alerts[0]?.event, alerts[0]?.track], ["siteChanged", "bikes"]);
  assert.deepEqual(new Set(models.asked.map(({ prompt }) => prompt)), new Set(PROMPTS));

  assert.deepEqual(
    (await tracks.list()).map(({ name, latest, changeCount }) => [name, latest?.k, latest?.n, changeCount]),
    [["bikes", 18, 18, 1]],
  );
  const moved = await tracks.put("bikes", { ...request, every: "0 0 1 1 *", brand: { name: "Tern" } });
  assert.deepEqual([moved.trend.length, moved.changes.length], [0, 0], "another brand starts from nothing");
  await tracks.delete("bikes");
  await assert.rejects(tracks.get("bikes"), { status: 404 });
  assert.deepEqual(await run(), { outcome: "deleted" });
  for (const [wrong, why] of [
    [{ ...request, every: "often" }, /7d or 12h/],
    [{ ...request, every: "90d" }, /SITE_RETENTION_MS: 90 days/],
    [{ ...request, alertUrl: "http://10.0.0.1/" }, /alertUrl/],
    [{ ...request, models: ["server/other"] }, /server\/other/],
  ] as const) {
    await assert.rejects(tracks.put("wrong", wrong as never), why);
  }
}

export async function untilTrack<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const limit = performance.now() + scaled(60_000);
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    assert.ok(performance.now() < limit, JSON.stringify(value));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export type { SiteTrack };
