// time-limit: 1500 s
// The database is stopped as if it had been killed, and started again, under load. FAULT_RESTARTS=300 is the long run.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PostgresServer } from "../../support/postgres-server.ts";
import { rounds } from "../../support/torture.ts";
import { until } from "../../support/until.ts";
import { PostgresCrew } from "../support/postgres-crew.ts";
import { seeded } from "../support/seed.ts";

const RESTARTS = rounds("FAULT_RESTARTS", 8, 300);
const LEASE_MS = 4_000;
const settings = { leaseMs: LEASE_MS };

test(`nothing is lost, nothing done twice and no process dies over ${RESTARTS} hard stops of the database`, {
  timeout: 60_000 + RESTARTS * 4_500,
}, async (t) => {
  const { seed, random } = seeded();
  console.log(`postgres-restart.test: FAULT_SEED=${seed} FAULT_RESTARTS=${RESTARTS}`);
  const server = await PostgresServer.start();
  t.after(() => server.remove());
  const crew = new PostgresCrew(t, server.url);
  await crew.ready("first", { settings, works: ["single", "five"] }).then((first) => first.stop());
  const workers = [
    await crew.ready("left", { settings, works: ["single", "five"] }),
    await crew.ready("right", { settings, works: ["single", "five"] }),
  ];
  const submitter = await crew.ready("submitter", {
    settings,
    submits: { kinds: ["single", "five"], pauseMs: 4, lanes: 4, again: "submitter" },
  });

  for (let restarts = 0; restarts < RESTARTS; restarts++) {
    // Each time some work gets done between two stops, or the load would be none.
    const before = await finished(crew);
    await until("work goes on", async () => (await finished(crew)) > before + 5, 30_000, 50);
    await new Promise((resolve) => setTimeout(resolve, random() * 200));
    await server.stop("immediate");
    await new Promise((resolve) => setTimeout(resolve, random() * 200));
    await server.start();
  }

  // A submission whose answer was lost with the connection is asked for again, under its key.
  await submitter.ask({ do: "stop-submitting" });
  assert.deepEqual(await submitter.stop(), { code: 0, signal: null }, submitter.words);
  const again = await crew.ready("submitter", {
    settings,
    submits: { kinds: ["single"], pauseMs: 50, lanes: 2, again: "submitter" },
  });
  await until("what was in doubt is asked for again", () => crew.all("submit-acknowledged", again).length > 3, 30_000);
  await again.ask({ do: "stop-submitting" });
  // What came in while the server was away most of the time has to be worked off.
  await crew.allFinished(LEASE_MS + 30_000 + RESTARTS * 500);
  for (const member of [...workers, again]) {
    assert.deepEqual(await member.stop(), { code: 0, signal: null }, member.words);
  }
  assert.deepEqual(await crew.found({ leaseMs: LEASE_MS }), []);
  const figures = [
    crew.all("submit-acknowledged").length,
    crew.all("submit-refused").length,
    crew.all("lease-expired").length,
  ];
  console.log(
    `postgres-restart.test: ${figures[0]} acknowledged, ${figures[1]} refused, ${figures[2]} leases taken back`,
  );
});

/** It is the server that was just started which is asked: on a busy machine it may need a moment. */
async function finished(crew: PostgresCrew): Promise<number> {
  let count: number | undefined;
  const asked = async () => {
    const rows = await crew.look
      .run<{ count: number }>("SELECT count(*)::int AS count FROM millrace.finished")
      .catch(() => undefined);
    count = rows?.[0]?.count;
    return count !== undefined;
  };
  await until("the server answers", asked, 30_000, 50);
  return count ?? 0;
}
