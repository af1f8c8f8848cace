// runtimes: node
// time-limit: 180 s
// Machines whose clocks are hours apart: the database's clock rules. (On Node, since it loads a module into its threads too.)

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { removeDatabasesAfterwards } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";
import { PostgresCrew } from "../support/postgres-crew.ts";

const HOUR_MS = 3_600_000;
const SHIFT = fileURLToPath(new URL("../support/shift-clock.ts", import.meta.url));
const settings = { leaseMs: 2_000 };

removeDatabasesAfterwards();

test("processes whose clocks are two hours apart lose no lease, and start scheduled jobs when the database says so", {
  timeout: 120_000,
}, async (t) => {
  const crew = await PostgresCrew.gather(t);
  const off = (ms: number) => ["env", `NODE_OPTIONS=--import=${SHIFT}`, `CLOCK_OFF_MS=${ms}`];
  const ahead = await crew.ready(
    "ahead",
    { settings, works: ["single"], kindOptions: { processors: 2 } },
    off(HOUR_MS),
  );
  const behind = await crew.ready(
    "behind",
    { settings, works: ["single"], kindOptions: { processors: 2 } },
    off(-HOUR_MS),
  );
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) {
    const by = i % 2 ? ahead : behind;
    ids.push(...(await by.submit("single", [{ key: `now ${i}`, waitMs: 1_500 }])));
    ids.push(...(await by.submit("single", [{ key: `later ${i}` }], { delayMs: 1_000 })));
  }
  await until("both have worked", () => [ahead, behind].every((each) => crew.all("settled", each).length > 0), 30_000);
  await crew.allFinished(40_000);
  for (const member of [ahead, behind]) assert.equal((await member.stop()).code, 0, member.words);
  assert.deepEqual(await crew.found({ leaseMs: settings.leaseMs }), []);
  assert.deepEqual(crew.all("lease-expired"), [], "longer than a lease, and renewed all the while");
  const rows = await crew.look.run<{ off: number }>(
    `SELECT max(abs(created_at - extract(epoch FROM now()) * 1000))::bigint AS off FROM millrace.finished`,
  );
  assert.ok((rows[0]?.off ?? HOUR_MS) < HOUR_MS / 2, "moments are the database's");
  assert.equal(ids.length, 24);
});
