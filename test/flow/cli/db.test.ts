// runtimes: bun or node

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { cli, kindsFile, output, serving } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/program.ts";

test("submit and schedules put work on a file that knows the kind, without a server; other kinds are refused with a list", async (t) => {
  const folder = temporaryFolder(t);
  const db = join(folder, "jobs.db");
  const served = await serving(t, { JOB_DB_PATH: db }, ["--load", kindsFile(folder)], folder);
  served.program.child.kill("SIGTERM");
  await served.program.ended();
  const call = async (...args: string[]) => JSON.parse(await output(t, [...args, "--db", db, "--json"], {}, folder));

  const job = await call("submit", "quick", '{"any": "JSON"}', "--tag", "by-hand");
  assert.partialDeepStrictEqual(job, { kind: "quick", state: "pending", payload: { any: "JSON" }, tags: ["by-hand"] });
  assert.equal((await call("submit", "pipeline", "1")).status, "not-started");
  const schedule = await call("schedules", "put", "weekly", "30 6 * * 1", "quick", '{"text": "weekly"}');
  assert.partialDeepStrictEqual(schedule, { name: "weekly", kind: "quick", payload: { text: "weekly" } });

  const refused = cli(t, ["submit", "nothing", "{}", "--db", db], {}, folder);
  assert.notEqual((await refused.ended()).code, 0);
  assert.match(refused.stderr(), /Unknown kind "nothing"\.\s+Known here: .*pipeline.*quick/);

  const again = await serving(t, { JOB_DB_PATH: db }, ["--load", kindsFile(folder)], folder);
  const done = await again.json("jobs", "wait", job.jobId);
  assert.deepEqual(done.result, { got: { any: "JSON" } });
});
