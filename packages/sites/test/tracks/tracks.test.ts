// runtimes: bun

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDue, rhythmOf } from "../../src/tracks/interval.ts";
import { fixtureWeb } from "../support/fixture-web.ts";
import { modelServer } from "../support/model-server.ts";
import { siteServer, untilRun } from "../support/server.ts";
import { trackJourney, untilTrack } from "../support/track-journey.ts";

test("a track runs with frozen prompts, keeps its trend, and tells of changes outside the noise once", (t) =>
  trackJourney(t));

test("a track without prompts keeps those of its first run; behind a wall it fails and pays nothing", async (t) => {
  const { bakery, shell } = await fixtureWeb(t, "bakery", "shell");
  const models = await modelServer(t, ({ prompt }) =>
    prompt.includes("Write ") ? { content: "{}" } : { content: "I recommend nobody." },
  );
  const { client } = await siteServer(t, [bakery, shell], {
    ...models.env,
    SITE_MODELS: "server/m",
    RETRY_BASE_MS: "10",
  });
  const { tracks } = client.sites;
  await tracks.put("bread", { url: bakery.url, every: "30 6 * * 1", models: [] });
  const track = await untilTrack(
    () => tracks.get("bread"),
    ({ trend, lastRun }) => {
      assert.equal(lastRun?.error, undefined);
      return trend.length > 0;
    },
  );
  assert.ok((track.prompts ?? []).length >= 3, "the prompts of the first run are frozen");
  const [run] = (await client.sites.list({ domain: bakery.place })).sites;
  assert.deepEqual(
    track.prompts,
    await untilRun(client, run?.jobId ?? "", ({ prompts }) => prompts?.prompts.map(({ text }) => text)).catch(
      async () => (await client.sites.report(run?.jobId ?? "")).prompts.prompts.map(({ text }) => text),
    ),
  );
  await tracks.put("shell", { url: shell.url, every: "1d", prompts: ["Which tool plans shifts for a café?"] });
  const walled = await untilTrack(
    () => tracks.get("shell"),
    ({ lastRun }) => lastRun !== undefined,
  );
  assert.match(walled.lastRun?.error ?? "", /JavaScript/);
  assert.equal(models.asked.length, 0);
});

test("a rhythm in days looks once a day and runs when its last run is old enough", () => {
  const from = new Date("2026-11-02T09:41:00Z");
  const week = rhythmOf("7d", from);
  assert.deepEqual(week, { cron: "41 9 * * *", everyMs: 7 * 86_400_000 });
  assert.deepEqual(rhythmOf("12h", from), { cron: "41 * * * *", everyMs: 12 * 3_600_000 });
  assert.deepEqual(rhythmOf("0 6 * * 1", from), { cron: "0 6 * * 1" });
  const at = (text: string) => new Date(text);
  assert.equal(isDue(week, undefined, from), true);
  assert.equal(isDue(week, "2026-11-02T09:41:05Z", at("2026-11-08T09:41:00Z")), false);
  assert.equal(isDue(week, "2026-11-02T09:41:05Z", at("2026-11-09T09:41:00Z")), true, "a few seconds early");
  assert.equal(isDue(rhythmOf("0 6 * * 1", from), "2026-11-09T05:59:00Z", at("2026-11-09T06:00:00Z")), true);
  for (const wrong of ["0d", "often", "7 days", "400d", "* *"])
    assert.throws(() => rhythmOf(wrong, from), /7d or 12h|from 1h/);
});
