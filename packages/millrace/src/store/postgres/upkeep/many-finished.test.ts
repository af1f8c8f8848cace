// runtimes: bun

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { MAIL } from "../../../../../../test/support/mail.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { until } from "../../../../../../test/support/until.ts";
import { COMPLETED, FAILED } from "../../codes.ts";
import { NO_EVENTS } from "../../contract/thread.ts";
import { NO_LIMITS } from "../../no-limits.ts";
import { ConnectionPool } from "../connection/connections.ts";
import { DatabaseTarget } from "../connection/target.ts";
import { Core } from "../core.ts";
import { kinds } from "../read/read.ts";
import { register } from "../register/register.ts";
import { prune } from "./upkeep.ts";

removeDatabasesAfterwards();

const MINUTE_MS = 60_000;

test("a large bound on finished jobs is not counted while their table is too small to be beyond it", async (t) => {
  const { core, read } = await open(t, { jobKeepMax: 100_000, finished: 3_000 });
  assert.deepEqual(await prune(core, { limit: 500 }), { deleted: 0, more: false });
  assert.ok((await read()) < 100, `${await read()} entries read`);
});

test("a large bound on finished jobs is counted once for a cleanup, and again when it may be passed by one percent", async (t) => {
  const { core, read, add, time } = await open(t, { jobKeepMax: 10_500, finished: 12_000 });
  for (const deleted of [500, 500, 500]) assert.deepEqual(await prune(core, { limit: 500 }), { deleted, more: true });
  assert.deepEqual(await prune(core, { limit: 500 }), { deleted: 0, more: false });
  const first = await read();
  assert.ok(first >= 12_000 && first < 20_000, `${first} entries read: the jobs once, and what was deleted`);
  await add(60);
  await read();
  assert.deepEqual(await prune(core, { limit: 500 }), { deleted: 0, more: false });
  assert.ok((await read()) - first < 1_000, "not counted again");
  await add(60);
  await read();
  assert.deepEqual(await prune(core, { limit: 500 }), { deleted: 120, more: false });
  await add(60);
  time.ms += 11 * MINUTE_MS;
  assert.deepEqual(await prune(core, { limit: 500 }), { deleted: 60, more: false }, "and after ten minutes");
});

test("many finished jobs are counted for a fiftieth of the time; live jobs and dead letters are always counted", async (t) => {
  let looks = 0;
  const { core, add } = await open(t, { finished: 45_000, monotonic: () => ++looks });
  const counts = async () => (await kinds(core))[0]?.stages[0]?.counts;
  assert.equal((await counts())?.completed, 45_000);
  await add(10);
  await add(3, FAILED);
  const soon = await counts();
  assert.deepEqual([soon?.completed, soon?.failed], [45_000, 3]);
  await until("counted again", async () => (await counts())?.completed === 45_010, 60_000);
});

interface Given {
  jobKeepMax?: number;
  finished: number;
  monotonic?: () => number;
}

async function open(t: TestContext, { jobKeepMax = 0, finished, monotonic }: Given) {
  const url = await freshDatabase();
  const time = { ms: 1_800_000_000_000 };
  const core = await Core.open(
    {
      url,
      durability: "normal",
      leaseMs: 15_000,
      instanceName: "test",
      limits: { ...NO_LIMITS, jobKeepMax },
    },
    NO_EVENTS,
    { clock: { now: () => time.ms, monotonic: monotonic ?? (() => time.ms) } },
  );
  const look = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 30_000, name: "test" });
  t.after(async () => {
    await core.close();
    await look.close();
  });
  await register(core, [{ ...MAIL, retention: { finishedMs: 60 * MINUTE_MS, deadLetterMs: 1 } }]);
  await core.names.load();
  const [stage] = core.names.allStages();
  const add = (count: number, standing = COMPLETED) =>
    look.run(FINISH_SOME, [count, stage?.id as number, time.ms, standing]);
  await add(finished);
  await look.run("VACUUM ANALYZE millrace.finished");
  const before = await entriesRead(look);
  // What a session read is counted once it is idle, or says so.
  const read = async () => {
    await core.connections.write.run("SELECT pg_stat_force_next_flush()");
    return (await entriesRead(look)) - before;
  };
  return { core, time, add, read };
}

const FINISH_SOME = `INSERT INTO millrace.finished (id, stage, tenant, standing, priority, run_at, created_at, updated_at, finished_at, payload)
  SELECT nextval('millrace.job_key'), $2::int, 1, $4::int, 0, $3::bigint, $3::bigint, $3::bigint, $3::bigint + number, repeat('x', 100)
  FROM generate_series(1, $1::int) AS number`;
const READ = `SELECT sum(idx_tup_read)::int AS entries FROM pg_stat_user_indexes WHERE relname = 'finished'
  UNION ALL SELECT seq_tup_read::int FROM pg_stat_user_tables WHERE relname = 'finished'`;

async function entriesRead(look: ConnectionPool): Promise<number> {
  await look.run("SELECT pg_stat_force_next_flush()");
  const rows = await look.run<{ entries: number }>(READ);
  return rows.reduce((sum, { entries }) => sum + entries, 0);
}
