// runtimes: bun or node

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { defineKind, Millrace, sqlite } from "../../../packages/millrace/src/index.ts";
import { cli } from "../../support/cli.ts";
import { root, temporaryFolder } from "../../support/program.ts";
import { until } from "../../support/until.ts";

const AT = JSON.stringify(join(root, "packages/millrace/src/index.ts"));
const schema = `{ "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } }`;
const codeWith = (step: string) => `import { defineKind } from ${AT};
export const order = defineKind({ name: "order", payload: ${schema}, run: async (ctx) => {
  await ctx.step(${JSON.stringify(step)}, () => { throw new Error("It must not run."); });
  await ctx.waitForSignal("paid");
} });
`;

async function run(t: TestContext, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const program = cli(t, args);
  const { code } = await program.ended();
  return { code, out: program.stdout(), err: program.stderr() };
}

test("a waiting job is exported, and replayed against code that fits and code that does not", async (t) => {
  const folder = temporaryFolder(t);
  const db = join(folder, "jobs.db");
  const order = defineKind({
    name: "order",
    payload: { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } },
    run: async (ctx) => {
      await ctx.step("charge", () => "receipt");
      await ctx.waitForSignal("paid");
    },
  });
  const millrace = await Millrace.open({ store: sqlite(db), kinds: [order], log: false });
  const job = await millrace.submit(order, { id: 7 });
  await until("the job waits", async () => (await job.view())?.waitsFor?.some(({ name }) => name === "paid"));
  await millrace.stop();
  const [good, bad, waiting] = ["good.ts", "bad.ts", "waiting.ndjson"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(good, codeWith("charge"));
  writeFileSync(bad, codeWith("charge-card"));

  const exported = await run(t, "jobs", "export", job.id, "--db", db);
  assert.equal(exported.code, 0, exported.err);
  assert.deepEqual(JSON.parse(exported.out).steps, [{ stage: "running", name: "charge", value: "receipt" }]);
  const all = await run(t, "jobs", "export", "--waiting", "--db", db);
  writeFileSync(waiting, all.out);

  const fitting = await run(t, "replay", job.id, "--load", good, "--db", db);
  assert.match(`${fitting.code} ${fitting.out}`, /^0 job_\w+ order\/running: it waits for signal "paid"\./);
  const wrong = await run(t, "replay", "--waiting", "--from", waiting, "--load", bad);
  assert.equal(wrong.code, 1, wrong.err);
  assert.match(wrong.out, /it stopped at ctx\.step\("charge-card"\), which has no stored value/);
  assert.match(wrong.out, /not reached by this code: step "charge", signal "paid"|signal "paid", step "charge"/);
  const fromStore = await run(t, "replay", "--waiting", "--load", bad, "--db", db);
  assert.equal(fromStore.code, 1, fromStore.err);
  const nothing = await run(t, "replay", "--load", good);
  assert.match(`${nothing.code} ${nothing.err}`, /^2 .*Give the id of a job, or --waiting/s);
});
