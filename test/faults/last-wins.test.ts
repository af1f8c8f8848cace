// time-limit: 300 s
// Several processes submit jobs of the same unique keys, run them and cancel them, and are killed: the last submission of a key runs
// last, no job runs with a payload that was replaced before, two jobs of a key never run at once, and no follower is left behind.

import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Millrace, postgres, sqlite } from "../../packages/millrace/src/index.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { type Program, root, run, temporaryFolder } from "../support/program.ts";
import { rounds } from "../support/torture.ts";
import { until } from "../support/until.ts";
import { seeded } from "./support/seed.ts";

const KILLS = rounds("FAULT_KILLS", 3, 100);
const SUBMISSIONS = rounds("LAST_SUBMISSIONS", 150, 1_000);
const PROCESSES = 3;

removeDatabasesAfterwards();

const STORES: [on: string, place: (t: TestContext) => string | Promise<string>][] = [
  ["a file", (t) => join(temporaryFolder(t), "jobs.db")],
  ["PostgreSQL", freshDatabase],
];

for (const [on, placeOf] of STORES) {
  test(`on ${on} the last submission of each key runs last, over ${KILLS} SIGKILLs`, {
    timeout: 240_000 + KILLS * 10_000,
  }, async (t) => {
    const place = await placeOf(t);
    const { seed, random } = seeded();
    console.log(`last-wins.test: FAULT_SEED=${seed} FAULT_KILLS=${KILLS}`);
    const racers: Program[] = [];
    const start = () => {
      const racer = race(t, place, `p${racers.length}`, Math.floor(random() * 2 ** 31));
      racers.push(racer);
      return racer;
    };
    const living = Array.from({ length: PROCESSES }, start);
    for (let kill = 0; kill < KILLS; kill++) {
      const victim = living.shift() as Program;
      await until("it submits", () => victim.stdout().split("answered").length > 10 + random() * 60, 60_000);
      victim.child.kill("SIGKILL");
      await victim.ended();
      living.push(start());
    }
    await until("all have submitted", () => living.every((racer) => racer.stdout().includes("submitted\n")), 120_000);
    const store = place.startsWith("postgres:") ? postgres(place) : sqlite(place);
    const millrace = await Millrace.open({ store, log: false });
    t.after(() => millrace.stop());
    await until(
      "every job has ended",
      async () => (await millrace.count({ inProgress: true })) + (await millrace.count({ status: "pending" })) === 0,
      60_000,
    );
    for (const racer of living) racer.child.kill("SIGTERM");
    for (const racer of living) await racer.ended();
    const lines = racers.map(linesOf);
    assert.deepEqual(problemsIn(lines), []);
    assert.ok(lines.flat().some(({ word, rest }) => word === "answered" && rest[4] === "follows"));
    assert.ok(lines.flat().some(({ word, rest }) => word === "answered" && rest[4] === "replaced"));
  });
}

interface Line {
  word: string;
  rest: string[];
}

interface Run {
  id: string;
  key: string;
  by: string;
  n: number;
  from: number;
  /** Missing: its process was killed. */
  to?: number;
}

function problemsIn(ofProcesses: Line[][]): string[] {
  const lines = ofProcesses.flat();
  const runs = runsIn(lines);
  return [...refusals(lines), ...overlaps(runs), ...replacedPayloads(lines, runs), ...notLast(lines, runs)];
}

/** None may be refused but for a key that another transaction holds. */
function refusals(lines: Line[]): string[] {
  return lines.flatMap(({ word, rest }) => (word === "refused" && rest[3] !== "key-busy" ? [`refused: ${rest}`] : []));
}

/** A processor of a cancelled job may still run when the next job of the key starts. */
function overlaps(runs: Run[]): string[] {
  const ended = runs.filter(({ to }) => to !== undefined).sort((a, b) => a.from - b.from);
  return ended.flatMap((later, i) =>
    ended
      .slice(0, i)
      .filter(
        ({ key, id, to = 0 }) =>
          !key.startsWith("cancelled") && key === later.key && id !== later.id && to > later.from,
      )
      .map((earlier) => `${later.key}: ${later.id} ran beside ${earlier.id}`),
  );
}

/** A run has the last payload that its lane gave to the job. */
function replacedPayloads(lines: Line[], runs: Run[]): string[] {
  const last = new Map<string, number>();
  for (const { word, rest } of lines) {
    if (word !== "answered") continue;
    const [id, , by, n] = rest;
    last.set(`${id} ${by}`, Math.max(last.get(`${id} ${by}`) ?? 0, Number(n)));
  }
  return runs.flatMap(({ id, by, n }) => {
    const given = last.get(`${id} ${by}`);
    return given !== undefined && n < given ? [`${id} ran with ${by}.${n} after ${by}.${given} had replaced it`] : [];
  });
}

/** What ran last of a key is the last submission of some lane. One that was killed may have made one more. */
function notLast(lines: Line[], runs: Run[]): string[] {
  const said = (wanted: string) => lines.filter(({ word }) => word === wanted).map(({ rest }) => rest);
  const answered = said("answered").map(([, key = "", by = "", n]) => ({ key, by, n: Number(n) }));
  const asked = said("asked").map(([key = "", by = "", n]) => ({ key, by, n: Number(n) }));
  const keys = new Set(answered.flatMap(({ key }) => (key.startsWith("cancelled") ? [] : [key])));
  return [...keys].flatMap((key) => {
    const final = runs
      .filter((each) => each.key === key)
      .sort((a, b) => a.from - b.from)
      .at(-1);
    if (!final) return [`nothing of ${key} ran`];
    const isOfLane = (each: { key: string; by: string }) => each.key === key && each.by === final.by;
    const wasAsked = asked.some((each) => isOfLane(each) && each.n === final.n);
    const later = answered.filter((each) => isOfLane(each) && each.n > final.n);
    return wasAsked && later.length === 0 ? [] : [`${key}: ${final.by}/${final.n} ran last, before ${later[0]?.n}`];
  });
}

function runsIn(lines: Line[]): Run[] {
  const ends = new Map(
    lines.flatMap(({ word, rest }) => (word === "ran" ? [[rest.slice(0, 4).join(" "), Number(rest[4])] as const] : [])),
  );
  return lines.flatMap(({ word, rest }) => {
    if (word !== "run") return [];
    const [id = "", key = "", by = "", n, from] = rest;
    const to = ends.get(rest.slice(0, 4).join(" "));
    return [{ id, key, by, n: Number(n), from: Number(from), ...(to !== undefined && { to }) }];
  });
}

function race(t: TestContext, place: string, name: string, seed: number): Program {
  const program = join(root, "test/faults/support/programs/last-racer.ts");
  return run(t, [process.execPath, program, place, name, String(SUBMISSIONS), String(seed)]);
}

/** Whole lines only: the last one may be cut off. */
function linesOf({ stdout }: Program): Line[] {
  const lines = stdout().split("\n").slice(0, -1);
  return lines.map((line) => {
    const [word = "", ...rest] = line.split(" ");
    return { word, rest };
  });
}
