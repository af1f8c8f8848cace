// A process that submits jobs of a few unique keys and runs them, until it has submitted enough or is killed. Each line is printed at
// once: what was answered, and when a run began and ended.

import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { defineKind, Millrace, postgres, sqlite } from "../../../../packages/millrace/src/index.ts";

const [place = "", name = "", count = "0", seed = "0"] = process.argv.slice(2);
const LANES = 4;
/** The jobs of these keys are cancelled now and then. */
const KEYS = ["a", "b", "c", "cancelled-1", "cancelled-2"];

const say = (...words: (string | number)[]) => writeSync(1, `${words.join(" ")}\n`);
const random = randomFrom(Number(seed));

const edit = defineKind({
  name: "edit",
  payload: z.object({ key: z.string(), by: z.string(), n: z.number() }),
  uniqueKey: ({ key }) => key,
  ifUnique: "replace",
  // Claims of 20 jobs and more are written in another way on PostgreSQL.
  processors: 30,
  run: async (ctx, payload) => {
    say("run", ctx.jobId, payload.key, payload.by, payload.n, Date.now());
    await pause(random() * 15);
    say("ran", ctx.jobId, payload.key, payload.by, payload.n, Date.now());
  },
});
/** It fills the claims. */
const filler = defineKind({ name: "filler", payload: z.null(), run: () => null, processors: 2 });

const isPostgres = place.startsWith("postgres:");
const store = isPostgres ? postgres(place) : sqlite(place);
const millrace = await Millrace.open({ store, kinds: [edit, filler], log: false, leaseMs: 1_000 });
const pool = isPostgres ? new pg.Pool({ connectionString: place, max: 3 }) : undefined;
say("ready");

let n = 0;
// One lane submits one job after the other, so that its last submission is known.
await Promise.all(Array.from({ length: LANES }, (_, i) => lane(`${name}.${i}`)));
await pool?.end();
say("submitted");
process.on("SIGTERM", () => millrace.stop().then(() => process.exit(0)));

async function lane(by: string): Promise<void> {
  while (n < Number(count)) {
    const key = KEYS[Math.floor(random() * KEYS.length)] as string;
    const job = { key, by, n: ++n };
    say("asked", key, by, job.n);
    try {
      const { id, accepted } = await submit(job);
      say("answered", id, key, by, job.n, String(accepted));
      if (key.startsWith("cancelled") && random() < 0.3) await millrace.cancel(id).catch(() => {});
    } catch (error) {
      say("refused", key, by, job.n, (error as { code?: string }).code ?? String(error));
    }
    if (random() < 0.5) await pause(random() * 10);
  }
}

function submit(job: { key: string; by: string; n: number }) {
  if (!pool || random() < 0.6) return millrace.submit(edit, job);
  return millrace.transaction(pool, (_tx, jobs) => jobs.submit(edit, job));
}

/** Numbers from 0 to 1 that a seed repeats. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
