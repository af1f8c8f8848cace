// Doctored histories and stores: each fault the checker is there for must be caught, or its silence proves nothing.

import assert from "node:assert/strict";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Millrace } from "../../packages/millrace/src/millrace.ts";
import { sqlite } from "../../packages/millrace/src/store/sqlite/factory.ts";
import { scaled } from "../support/slowness.ts";
import { check, STUCK_AFTER_LEASE_MS } from "./support/checker.ts";
import { type Event, type Happening, History, parseHistory, readHistories } from "./support/history.ts";
import { kindsFor, STAGES } from "./support/kinds.ts";
import { readStore, type StoredJob, type StoreFacts } from "./support/store-facts.ts";

const LEASE_MS = 1_000;
/** The checker allows more on a busy machine. */
const LATEST_MS = LEASE_MS + STUCK_AFTER_LEASE_MS;
const expected = { leaseMs: LEASE_MS, stages: STAGES };

const CLAIM: Happening = { type: "claimed", jobId: "job_a", token: 1, stage: "running" };
const SETTLE: Happening = { type: "settled", jobId: "job_a", token: 1, outcome: "completed", standing: "completed" };
const SOUND: Happening[] = [
  { type: "submit-called", key: "a" },
  { type: "submit-acknowledged", key: "a", jobId: "job_a" },
  CLAIM,
  SETTLE,
];
const JOB: StoredJob = {
  id: "job_a",
  kind: "single",
  key: "a",
  stage: "running",
  standing: "completed",
  attempt: 1,
  failures: 0,
  crashes: 0,
  chain: [{ stage: "running", token: 1 }],
};

test("a sound history has no problems", () => {
  assert.deepEqual(check(history(SOUND), store(JOB), expected), []);
});

test("a submission nobody heard the answer to may be there or not", () => {
  const unheard: Happening[] = [...SOUND, { type: "submit-called", key: "b" }];
  assert.deepEqual(check(history(unheard), store(JOB), expected), []);
  const there: StoredJob = { ...JOB, id: "job_b", key: "b", standing: "completed" };
  assert.deepEqual(check(history(unheard), store(JOB, there), expected), []);
});

test("a lost job is caught", () => catches(/^lost: job_a/, SOUND.slice(0, 2), store()));

test("an unfinished job is caught", () => {
  catches(/^unfinished: job_a .* running/, SOUND.slice(0, 3), store({ ...JOB, standing: "running", chain: [] }));
});

test("a dead letter that nobody expected is caught, and an expected one is not", () => {
  const failed = store({ ...JOB, standing: "failed", chain: [] });
  catches(/^unfinished: job_a .* failed/, SOUND.slice(0, 3), failed);
  assert.deepEqual(check(history(SOUND.slice(0, 3)), failed, { ...expected, deadLetters: new Set(["a"]) }), []);
});

test("a job that nobody submitted is caught", () => {
  catches(/^unexpected: job_b/, SOUND, store(JOB, { ...JOB, id: "job_b", key: "b" }));
});

test("a submission stored twice is caught", () => {
  catches(/^doubled: a/, SOUND, store(JOB, { ...JOB, id: "job_b" }));
});

test("a second accepted completion is caught", () => {
  const second: Happening[] = [
    { ...CLAIM, token: 2 },
    { ...SETTLE, token: 2 },
  ];
  catches(/^second completion: job_a/, [...SOUND, ...second], store(JOB));
});

test("one lease settled twice is caught", () => catches(/^settled twice: job_a.1/, [...SOUND, SETTLE], store(JOB)));

test("a claim after the completion is caught", () => {
  catches(/^claimed after its completion: job_a/, [...SOUND, { ...CLAIM, token: 2 }], store(JOB));
});

test("an accepted result that another overwrote is caught", () => {
  catches(/^overwritten: job_a/, SOUND, store({ ...JOB, chain: [{ stage: "running", token: 7 }] }));
});

test("an accepted completion that was undone is caught", () => {
  catches(/^completion undone: job_a/, SOUND, store({ ...JOB, standing: "cancelled" }));
});

test("a gap, a double and a wrong order of stages are caught", () => {
  const five = (...stages: string[]): StoreFacts =>
    store({ ...JOB, kind: "five", chain: stages.map((stage, i) => ({ stage, token: i + 1 })) });
  const submitted = SOUND.slice(0, 2);
  catches(/^stages of job_a went first second fourth fifth/, submitted, five("first", "second", "fourth", "fifth"));
  catches(/^stages of job_a/, submitted, five("first", "second", "second", "third", "fourth", "fifth"));
  catches(/^stages of job_a/, submitted, five("second", "first", "third", "fourth", "fifth"));
});

test("a job that stays with a killed process is caught", () => {
  const killed: Happening = { type: "killed", who: "worker" };
  catches(
    /^stuck: job_a is still held/,
    [...SOUND.slice(0, 3), killed],
    store({ ...JOB, standing: "running", chain: [] }),
  );
});

test("a job taken back later than its lease and 5 s is caught, and one taken back in time is not", () => {
  const { events, killedAt } = killedBeside({ type: "ready", who: "heir" });
  assert.deepEqual(check(events, takenBack(killedAt + LATEST_MS - 100), expected), []);
  assert.match(
    check(events, takenBack(killedAt + LATEST_MS + 100), expected).join(),
    new RegExp(`stuck: job_a lay ${LATEST_MS + 100} ms`),
  );
});

test("time in which nobody was there to take a job back does not count, and that of the heir that came does", () => {
  const { events, killedAt } = killedBeside({ type: "ready", who: "heir" }, { type: "killed", who: "heir" });
  assert.deepEqual(check(events, takenBack(killedAt + 60_000 + LATEST_MS), expected), []);
  const heirCame: Event = { type: "ready", who: "second heir", at: killedAt + 20_000, by: "test" };
  const come = [...events, heirCame];
  assert.deepEqual(check(come, takenBack(killedAt + 20_000 + LATEST_MS - 100), expected), []);
  assert.match(
    check(come, takenBack(killedAt + 20_000 + LATEST_MS + 100), expected).join(),
    new RegExp(`stuck: job_a lay ${LATEST_MS + 100}`),
  );
});

/** A job in hand, what else happened, and the death of its process. */
function killedBeside(...others: Happening[]): { events: Event[]; killedAt: number } {
  const events = history([...SOUND.slice(0, 3), ...others, { type: "killed", who: "worker" }]);
  return { events, killedAt: events.at(-1)?.at ?? 0 };
}

function takenBack(at: number): StoreFacts {
  return { ...store({ ...JOB, chain: [{ stage: "running", token: 3 }] }), takenBack: new Map([["job_a", [0, at]]]) };
}

test("a step that ran again after it was saved is caught", () => {
  const step = { jobId: "job_a", step: "pay" };
  const again: Happening[] = [
    { type: "step-saved", token: 1, ...step },
    { type: "step-ran", token: 2, stage: "running", ...step },
  ];
  catches(/^step run again: pay of job_a/, [...SOUND, ...again], store(JOB));
  const saved = { type: "step-saved", token: 2, ...step } as const;
  catches(/^step run again: pay of job_a/, [...SOUND, ...again, saved], store(JOB));
});

test("a line cut off by its writer's death is left out, and only that one", () => {
  const whole = '{"type":"submit-called","key":"a","at":1,"by":"x"}\n';
  assert.equal(parseHistory(`${whole}{"type":"submit-ackn`).length, 1);
  assert.throws(() => parseHistory(`{"type":"sub\n${whole}`));
});

test("wrong counters, an orphan and a damaged file are caught in a real store", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-checker-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "jobs.db");
  const record = new History(folder, "writer");
  const { single } = kindsFor(record);
  const millrace = await Millrace.open({ store: sqlite(path), kinds: [single] });
  for (let i = 0; i < 200; i++) record.append({ type: "submit-called", key: `${i}` });
  const errands = Array.from({ length: 200 }, (_, i) => ({ key: `${i}`, filler: "x".repeat(2_000) }));
  const jobs = await millrace.submitMany(single, errands);
  await Promise.all(jobs.map((job) => job.wait({ timeoutMs: scaled(10_000) })));
  await millrace.stop();
  record.close();
  assert.deepEqual(check(readHistories(folder), readStore(path), expected), []);

  change(path, "UPDATE stage SET completed = completed + 1");
  assert.match(readStore(path).problems.join(), /^counter: running says 201 completed, there are 200/);
  change(path, "UPDATE stage SET completed = 199, running = 1; UPDATE tenant SET running = 1");
  change(path, "UPDATE job SET standing = 4, finished_at = NULL, holder = 1 WHERE id = 1");
  assert.match(readStore(path).problems.join(), /^orphan: job_\w+ is running for a process that has left$/);
  damage(path);
  assert.match(readStore(path).problems.join(), /integrity: /);
});

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

/** Overwrites the root of an index that the checker's own reads do not use. */
function damage(path: string): void {
  const db = new DatabaseSync(path, { readOnly: true });
  const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'log_job'").get() as {
    rootpage: number;
  };
  const { page_size: pageSize } = db.prepare("PRAGMA page_size").get() as { page_size: number };
  db.close();
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(pageSize), 0, pageSize, (rootpage - 1) * pageSize);
  closeSync(file);
}

function history(happenings: Happening[]): Event[] {
  return happenings.map((happening, i) => ({ at: 1_000 + i, by: "worker", ...happening }));
}

function store(...jobs: StoredJob[]): StoreFacts {
  return { jobs: new Map(jobs.map((job) => [job.id, job])), takenBack: new Map(), problems: [] };
}

function catches(problem: RegExp, happenings: Happening[], facts: StoreFacts): void {
  const problems = check(history(happenings), facts, expected);
  assert.ok(
    problems.some((each) => problem.test(each)),
    `not caught; found: ${problems.join("; ") || "nothing"}`,
  );
}
