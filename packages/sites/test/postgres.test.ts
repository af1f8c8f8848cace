// runtimes: bun
// time-limit: 300 s
// Sites on PostgreSQL: 30 at once over three processes that share pools' work, a provider's limit and nothing else, and one
// of the three is killed in the middle of asking.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_WORKLOADS, cli, serving } from "../../../test/support/cli.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../../test/support/postgres.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { scaled } from "../../../test/support/slowness.ts";
import { type Client, createClient } from "../../millrace/src/client/index.ts";
import { type SiteCalls, sites as siteCalls } from "../src/client.ts";
import { fixtureSites } from "./support/fixture-web.ts";
import { modelServer } from "./support/model-server.ts";

removeDatabasesAfterwards();

const SITES = 30;
const PROMPTS = ["Which cargo bike carries two children?", "How much is a cargo bike a month?"];
const PER_MINUTE = 360;
/** Calls of one run at the same time. */
const IN_FLIGHT = 4;
const STAGES = ["website-analysis", "prompt-forming", "model-analysis"];
/** Of each stage, in each process: ten in all. */
const POOLS = [4, 3, 3];

test("30 sites over three processes: pools and limits hold, and a kill -9 pays for nothing twice but what was in flight", {
  timeout: 240_000,
}, async (t) => {
  const sites = await fixtureSites(t, "shop", SITES);
  const door = Promise.withResolvers<void>();
  const models = await modelServer(t, async () => {
    // Nobody is answered until the kill has found some in flight.
    await door.promise;
    return { content: "Pedalwerk." };
  });
  const folder = temporaryFolder(t);
  const env = {
    ...ALL_WORKLOADS,
    ...models.env,
    MODEL_REQUESTS_PER_MINUTE: String(PER_MINUTE),
    DATABASE_URL: await freshDatabase(),
    SITE_MODELS: "server/plain",
    SITE_ALLOW: sites.map(({ place }) => place).join(","),
    SITE_PAGE_GAP_MS: "0",
    LEASE_TIMEOUT_SEC: "1",
    RETRY_BASE_MS: "1",
    RETRY_MAX_MS: "50",
  };
  const { url } = await serving(t, env, ["--no-pools"], folder);
  const client = createClient({ baseUrl: url }).with(siteCalls);
  const workers = await Promise.all(
    POOLS.map(async (size) => {
      const sizes = Object.fromEntries(
        STAGES.map((stage) => [`POOL_${stage.toUpperCase().replace("-", "_")}_SIZE`, String(size)]),
      );
      const worker = cli(t, ["work", "--kinds", "site"], { ...env, ...sizes, LOG_LEVEL: "info" }, folder);
      await worker.said(/"work started"/);
      return worker;
    }),
  );
  const doors = sites.map((site) => site.holdBack("/"));
  const runs = await Promise.all(
    sites.map(({ url }) => client.sites.submit({ url, prompts: PROMPTS, samples: 1, maxPages: 2 })),
  );
  const beingRead = () => sites.filter(({ asked }) => asked.includes("/")).length;
  const all = POOLS.reduce((sum, size) => sum + size, 0);
  while (beingRead() < all)
    await Promise.race(doors.map(({ asked }, i) => (sites[i]?.asked.includes("/") ? never : asked)));
  assert.equal(beingRead(), all, "ten are read; the eleventh waits until one of them is done");
  for (const { letGo } of doors) letGo();
  const asking = await untilOneAsks(
    client,
    runs.map(({ jobId }) => jobId),
  );
  const doomed = workers.find(({ child }) => child.pid === asking);
  assert.ok(doomed, `one of the workers asks, not ${asking}`);
  doomed.child.kill("SIGKILL");
  await doomed.ended();
  door.resolve();
  const jobs = await Promise.all(runs.map((run) => client.wait(run, { timeoutMs: scaled(120_000) })));
  assert.deepEqual(
    jobs.filter(({ status }) => status !== "completed").map(({ jobId, error }) => `${jobId} ${error}`),
    [],
  );
  const reports = await Promise.all(runs.map((run) => client.sites.report(run)));
  const answers = reports.flatMap((report) => report.answers.filter(({ status }) => status === "ok")).length;
  assert.equal(answers, SITES * PROMPTS.length, "no answer is lost");
  const perhapsTwice = reports.reduce((sum, { cost }) => sum + cost.perhapsTwice, 0);
  const inFlight = Math.max(...POOLS) * IN_FLIGHT;
  assert.ok(perhapsTwice > 0 && perhapsTwice <= inFlight, `${perhapsTwice} were in flight in one process`);
  assert.ok(models.asked.length <= answers + perhapsTwice, `${models.asked.length} requests for ${answers} answers`);
  assertRate(models.asked.map(({ at }) => at));
  const places = await placesOf(
    client,
    runs.map(({ jobId }) => jobId),
  );
  for (const [i, { child }] of workers.entries()) {
    for (const stage of STAGES) {
      const most = places.get(`${stage} ${child.pid}`)?.size ?? 0;
      assert.ok(most <= (POOLS[i] ?? 0), `${stage} had ${most} processors in a pool of ${POOLS[i]}`);
    }
  }
});

const never = new Promise<void>(() => {});

/** The process that waits for a model's answer. */
async function untilOneAsks(client: Client & { readonly sites: SiteCalls }, ids: readonly string[]): Promise<number> {
  for (;;) {
    for (const id of ids) {
      const { cells } = await client.sites.get(id);
      const [attempt] = (await client.attempts(id)).filter(
        ({ stage, endedAt }) => stage === "model-analysis" && !endedAt,
      );
      if (cells.some(({ state }) => state === "sent") && attempt?.processor) return pidOf(attempt.processor);
    }
  }
}

/** `host:pid#place`, as processors are named. */
function pidOf(processor: string): number {
  return Number(/:(\d+)#/.exec(processor)?.[1]);
}

/** What may be sent at once, and what comes in evenly after: without a shared limit three processes would send three times that. */
function assertRate(times: readonly number[]): void {
  const atOnce = Math.floor(PER_MINUTE / 12);
  for (const [i, from] of times.entries()) {
    for (const [j, to] of times.entries()) {
      if (j < i) continue;
      const room = atOnce + ((PER_MINUTE - atOnce) * (to - from)) / 60_000;
      // A call is on its way for a moment after it was let through.
      assert.ok(j - i + 1 <= room + IN_FLIGHT, `${j - i + 1} calls in ${to - from} ms`);
    }
  }
}

/** The processors of each stage that did anything, by process: each does one job at a time. */
async function placesOf(client: Client, ids: readonly string[]): Promise<Map<string, Set<string>>> {
  const places = new Map<string, Set<string>>();
  for (const id of ids) {
    for (const { stage, processor = "" } of await client.attempts(id)) {
      const pool = `${stage} ${pidOf(processor)}`;
      places.set(pool, (places.get(pool) ?? new Set()).add(processor));
    }
  }
  return places;
}
