// runtimes: bun
// time-limit: 180 s

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startPooler } from "../../support/pgbouncer.ts";
import { removeDatabasesAfterwards } from "../../support/postgres.ts";
import { skipWithout } from "../../support/system.ts";
import { until } from "../../support/until.ts";
import { PostgresCrew } from "../support/postgres-crew.ts";

const LEASE_MS = 2_000;
const settings = { leaseMs: LEASE_MS };

removeDatabasesAfterwards();

for (const mode of ["transaction", "session"] as const) {
  test(
    `behind PgBouncer in ${mode} mode nothing is lost and nothing done twice, though a worker is killed`,
    {
      timeout: 120_000,
      skip: skipWithout("pgbouncer"),
    },
    (t) => workBehindPooler(t, mode),
  );
}

async function workBehindPooler(t: TestContext, mode: "transaction" | "session"): Promise<void> {
  const crew = await PostgresCrew.gather(t);
  const pooler = await startPooler(crew.db, mode);
  crew.beforeItGoes(() => pooler.stop());
  crew.db = pooler.url;
  const left = await crew.ready("left", { settings, works: ["single", "five"] });
  const right = await crew.ready("right", { settings, works: ["single", "five"] });
  const submitter = await crew.ready("submitter", {
    settings,
    submits: { kinds: ["single", "five"], pauseMs: 10, lanes: 3, again: "submitter" },
  });
  await until("both work", () => [left, right].every((each) => crew.all("settled", each).length > 20), 30_000);
  await crew.kill(left);
  const since = crew.all("settled", right).length;
  await until("the other goes on", () => crew.all("settled", right).length > since + 20, 30_000);
  await submitter.ask({ do: "stop-submitting" });
  await crew.allFinished(LEASE_MS + 30_000);
  for (const member of [right, submitter])
    assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
}
