// runtimes: bun or node

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serving } from "../support/cli.ts";
import { until } from "../support/until.ts";

const WHAT_TO_DO = /jobs\.db was deleted or replaced.*restore a backup, then start again\./;

test("a server whose jobs.db is deleted refuses submissions, turns health red and says what to do", async (t) => {
  const { url, folder, program, call } = await serving(t, { JOB_DB_PATH: "jobs.db" });
  const submit = () =>
    fetch(`${url}/jobs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ payload: { text: "hello" } }),
    });
  assert.equal((await submit()).status, 201);
  rmSync(join(folder, "jobs.db"));
  const refused = await until("submissions are refused", async () => {
    const answer = await submit();
    return answer.status === 503 && ((await answer.json()) as { code: string; hint: string });
  });
  assert.equal(refused.code, "store-replaced");
  const health = await until("health is red", async () => {
    const answer = await fetch(`${url}/health`);
    const body = (await answer.json()) as { status: string; problems: string[] };
    return answer.status === 503 && WHAT_TO_DO.test(body.problems.join(" ")) && body;
  });
  assert.equal(health.status, "error");
  await program.said(/"code":"store-replaced".*"event":"store condition"/);
  assert.equal((await call("health")).code, 1);
  program.child.kill("SIGTERM");
  assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
});
