// runtimes: node
// time-limit: 300 s
// `npm create millrace` gives a project that type-checks, passes its own tests, and shows its first job within a minute.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packed } from "../support/packed.ts";
import { scaled } from "../support/slowness.ts";
import { NewProject, stops } from "./support/new-project.ts";

const FIRST_JOB_MS = 60_000;
const TIMEOUT_MS = 200_000;

test("a new project shows its first job within a minute, and all it promises holds", {
  timeout: TIMEOUT_MS,
}, async (t) => {
  // A user does not wait for these: npm has them packed.
  await Promise.all([packed("millrace"), packed("create-millrace")]);
  const startedAt = performance.now();
  const project = await NewProject.create(t, ["--db", "sqlite", "--package-manager", "npm"]);

  const dev = await project.start("dev");
  await Promise.all([dev.said(/Dashboard +http/), dev.said(/Worker +ready/)]);
  const { jobId, dashboard } = await project.signUp("ada@example.com");
  const job = await (await project.fetch(`/millrace/jobs/${jobId}?wait=30`)).json();
  assert.partialDeepStrictEqual(job, { state: "completed", kind: "welcome", stage: "send" });
  const page = await (await project.fetch(dashboard)).text();
  const [, script = ""] = /src="([^"]+\.js)"/.exec(page) ?? [];
  assert.equal((await project.fetch(script)).status, 200, "the dashboard is served as it was built");
  const took = performance.now() - startedAt;
  t.diagnostic(`from create to the first job in the dashboard: ${(took / 1000).toFixed(1)} s`);
  assert.ok(took < scaled(FIRST_JOB_MS), `it took ${took} ms`);
  dev.child.kill("SIGTERM");
  await dev.ended();

  await project.passes("typecheck");
  await project.passes("test");

  const [web, worker] = await Promise.all([project.start("start"), project.start("worker")]);
  await Promise.all([web.said(/Dashboard +http/), worker.said(/Worker +ready/)]);
  await worksApart(project);
  await worker.said(/Mail to grace@example\.com: Welcome, Ada!/);
  await stops(web, worker);
  assert.equal(web.stdout().includes("Mail to"), false, "the web process runs no jobs");
  assert.ok(readFileSync(join(project.folder, "package-lock.json"), "utf8").includes('"node_modules/millrace"'));
});

async function worksApart(project: NewProject): Promise<void> {
  const { jobId } = await project.signUp("grace@example.com");
  const job = await (await project.fetch(`/millrace/jobs/${jobId}?wait=30`)).json();
  assert.partialDeepStrictEqual(job, { state: "completed" });
  const schedules = await (await project.fetch("/millrace/schedules")).text();
  assert.match(schedules, /morning-digest/);
  assert.deepEqual(await (await project.fetch("/health")).json(), { status: "ok" });
  assert.equal((await project.fetch("/signup", { method: "POST", body: '{"name":""}' })).status, 400);
  const stranger = await fetch(project.url("/millrace/ui/"));
  assert.equal(stranger.status, 401);
  assert.match(stranger.headers.get("www-authenticate") ?? "", /^Basic /);
}
