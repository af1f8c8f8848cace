// time-limit: 600 s
// Parents with children, sleeps, signals, races and undos, while their processes are killed at random. Every effect is counted
// outside of the store.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type JobView, Millrace } from "../../packages/millrace/src/index.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { scaled } from "../support/slowness.ts";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import { seeded } from "./support/seed.ts";
import { type RecordedEffect, workflowKinds } from "./support/workflows/kinds.ts";
import { SETTINGS, storeAt, type WorkerPlan } from "./support/workflows/worker.ts";

const PROGRAM = fileURLToPath(new URL("./support/workflows/worker.ts", import.meta.url));
const PARTS = 3;
const SIGNALS = 3;

removeDatabasesAfterwards();

for (const on of ["a file", "PostgreSQL"] as const) {
  const kills = rounds("FAULT_WORKFLOW_KILLS", on === "a file" ? 12 : 6, 300);
  const orders = kills * 2;

  test(`on ${on} ${orders} workflows end as planned over ${kills} SIGKILLs, and nothing stored is done twice`, {
    timeout: 180_000 + kills * 3_000,
  }, async (t) => {
    const { seed, random } = seeded();
    console.log(`workflow-kill.test: FAULT_SEED=${seed} FAULT_WORKFLOW_KILLS=${kills}`);
    const folder = mkdtempSync(join(tmpdir(), "millrace-workflows-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const store = on === "a file" ? join(folder, "jobs.db") : await freshDatabase();
    const { order, part } = workflowKinds(() => {});
    const millrace = await Millrace.open({ store: storeAt(store), kinds: [order, part], work: false, ...SETTINGS });
    t.after(() => millrace.stop({ hurry: true }));

    const crew = new Workers(t, { store, folder });
    await Promise.all([0, 1].map((place) => crew.start(place)));
    const plans = Array.from({ length: orders }, (_, n) => ({
      ...{ order: n, parts: PARTS, signals: SIGNALS },
      fails: n % 4 === 3,
    }));
    const ids: string[] = [];
    const submit = async () => {
      for (const plan of plans) {
        const job = await millrace.submit(order, plan);
        ids.push(job.id);
        // Some come before their wait, some during it and some while the job runs. A repeated one must change nothing.
        for (let n = 0; n < SIGNALS; n++) {
          const options = { idempotencyKey: `${plan.order} ${n}` };
          void (async () => {
            await delay(random() * 400);
            if (n > 0) await until("the signal before", () => sent.has(`${plan.order} ${n - 1}`));
            await millrace.signal(order, job.id, "go", n, options);
            sent.add(`${plan.order} ${n}`);
            if (random() < 0.3) await millrace.signal(order, job.id, "go", n, options).catch(() => {});
          })();
        }
        await delay(random() * 60);
      }
    };
    const sent = new Set<string>();
    const submitting = submit();
    for (let killed = 0; killed < kills; killed++) {
      await delay(random() * 400);
      await crew.killAndRestart(Math.floor(random() * 2));
    }
    await submitting;
    const isOver = (job: JobView | undefined) => job?.state === "completed" || job?.state === "failed";
    await until(
      "every order has ended",
      async () => (await Promise.all(ids.map((id) => millrace.find(id)))).every(isOver),
      scaled(60_000),
    );
    await crew.stop();

    const effects = effectsIn(folder);
    assert.deepEqual(doneTwice(effects), []);
    for (const [n, id] of ids.entries()) await checkOrder(millrace, id, plans[n]?.fails === true, effects);
    const starts = effects.filter(({ type, ...each }) => type === "ran" && "what" in each && each.what === "charge");
    console.log(
      `workflow-kill.test: on ${on} ${effects.length} effects of ${ids.length} orders, ${starts.length} charges`,
    );
  });
}

/** Once the code has seen the stored value of a step, no later run of its effect, and always the same value. */
function doneTwice(effects: readonly RecordedEffect[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, { value: string; at: number }>();
  const children = new Map<string, string>();
  const undone = new Map<string, string>();
  for (const effect of effects) {
    if (effect.type === "child") {
      const child = `${effect.parent} ${effect.key}`;
      const known = children.get(child) ?? effect.jobId;
      if (known !== effect.jobId) problems.push(`child ${child} was submitted as ${known} and as ${effect.jobId}`);
      children.set(child, known);
      continue;
    }
    const { type, jobId, what, value, at, by } = effect;
    const name = `${jobId} ${what}`;
    const stored = seen.get(name);
    if (type === "seen") {
      if (stored && stored.value !== value) problems.push(`${name} had two values`);
      seen.set(name, stored ?? { value, at });
    } else if (stored && at > stored.at) problems.push(`${name} ran again after it was stored`);
    if (type === "ran" && /^(?:refund|scrap)/.test(what)) {
      // A process stores an undo before it runs the next one, so only its death leads to a second run.
      if (undone.get(name) === by) problems.push(`${name} ran twice in ${by}`);
      undone.set(name, by);
    }
  }
  return problems;
}

async function checkOrder(millrace: Millrace, id: string, fails: boolean, effects: readonly RecordedEffect[]) {
  const job = await millrace.find(id);
  const undos = effects.flatMap((effect) =>
    effect.type === "ran" && effect.jobId === id && /^(?:refund|scrap)/.test(effect.what) ? [effect.what] : [],
  );
  if (!fails) {
    const result = { got: [0, 1, 2], winner: "done", made: ["slow", "k1", "k2"] };
    assert.deepEqual([job?.state, job?.result], ["completed", result], `${id} ${job?.error}`);
    assert.deepEqual(undos, []);
    return;
  }
  assert.deepEqual([job?.state, job?.error], ["failed", "As planned."]);
  const order = [...new Set(undos)];
  assert.deepEqual(order, ["scrap k2", "scrap k1", "scrap slow", "refund"], `${id}: in reverse order`);
}

/** In the order of their clock; within one process in the order in which they happened. */
function effectsIn(folder: string): RecordedEffect[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".effects"));
  const effects = files.flatMap((name) => {
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    // Without its newline the last line was cut off by the writer's death.
    lines.pop();
    return lines.map((line) => JSON.parse(line) as RecordedEffect);
  });
  return effects.sort((a, b) => a.at - b.at);
}

class Workers {
  readonly #plan: Omit<WorkerPlan, "by">;
  readonly #members = new Map<number, ChildProcess>();
  #runs = 0;

  constructor(t: TestContext, plan: Omit<WorkerPlan, "by">) {
    this.#plan = plan;
    t.after(() => this.stop());
  }

  start(place: number): Promise<unknown> {
    const plan: WorkerPlan = { ...this.#plan, by: `worker-${place}-${++this.#runs}` };
    const member = spawn(process.execPath, [PROGRAM, JSON.stringify(plan)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    this.#members.set(place, member);
    return new Promise((resolve) => {
      member.once("message", resolve);
      member.once("exit", resolve);
    });
  }

  async killAndRestart(place: number): Promise<void> {
    await this.#end(place);
    void this.start(place);
  }

  async #end(place: number): Promise<void> {
    const member = this.#members.get(place);
    this.#members.delete(place);
    if (!member || member.exitCode !== null || member.signalCode !== null) return;
    const gone = new Promise((resolve) => member.once("exit", resolve));
    member.kill("SIGKILL");
    await gone;
  }

  async stop(): Promise<void> {
    for (const place of [...this.#members.keys()]) await this.#end(place);
  }
}
