// Known bugs, which the fault tests must catch. run.ts puts them into a copy of the engine one at a time; a tidy test fails when the
// text of a mutant is no longer in the source: change it along with the code. all.ts has those of other tests too.

export interface Mutant {
  bug: string;
  file: string;
  from: string;
  to: string;
  /** The file that must fail: its path, or its name in test/faults. */
  caughtBy: string;
  /** A part of the name of the test that must fail, where running the whole file would take long. */
  only?: string;
}

const ENGINE = "packages/millrace/src";
const STORE = `${ENGINE}/store/sqlite`;

export const MUTANTS: readonly Mutant[] = [
  {
    bug: "a write with a stale token is taken",
    file: `${STORE}/settle/belongings.ts`,
    from: "row.standing === RUNNING && row.token === lease.token",
    to: "row.standing === RUNNING",
    caughtBy: "stop",
  },
  {
    bug: "an answer goes out though the commit did not happen",
    file: `${STORE}/core.ts`,
    from: 'this.statement("COMMIT").run();',
    to: 'this.statement(Math.random() < 0.01 ? "ROLLBACK" : "COMMIT").run();',
    caughtBy: "crash-commit",
  },
  {
    bug: "leases of the dead are never taken back",
    file: `${STORE}/control/expiry.ts`,
    from: "return core.instances.dead().flatMap((dead) => bury(core, dead));",
    to: "return core.instances.dead().slice(0, 0).flatMap((dead) => bury(core, dead));",
    caughtBy: "expiry",
  },
  {
    bug: "only a process that can be looked up is ever taken for dead",
    file: `${STORE}/register/instances.ts`,
    from: "(!isPatient && other.expires_at <= now)",
    to: "(false && other.expires_at <= now)",
    caughtBy: "stop",
  },
  {
    bug: "leases are renewed by the main loop only",
    file: `${STORE}/thread/caretaker.ts`,
    from: "if (beatIsDue(this.#core)) this.#core.transact(() => beat(this.#core));",
    to: "",
    caughtBy: "blocked-loop",
  },
  {
    bug: "a clock set forward ends all leases",
    file: "packages/millrace/src/store/decide/attempt/own-lease.ts",
    from: "return this.#options.clock.monotonic() < this.#patientUntil;",
    to: "return false;",
    caughtBy: "packages/millrace/src/store/sqlite/store.test.ts",
    only: "an hour nobody living loses a lease",
  },
  {
    bug: "a counter is not moved when a lease is taken back",
    file: `${STORE}/settle/apply.ts`,
    from: "core.counts.leave(row.stage, row.tenant, row.standing);",
    to: 'if (change.outcome !== "abandoned") core.counts.leave(row.stage, row.tenant, row.standing);',
    caughtBy: "expiry",
  },
  {
    bug: "stored steps are not found again",
    file: `${STORE}/settle/steps.ts`,
    from: "return steps.map((step) => ({ stage,",
    to: "return steps.slice(0, 0).map((step) => ({ stage,",
    caughtBy: "crash-commit",
  },
  {
    bug: "a handed back job has an attempt burned",
    file: `${ENGINE}/job/lifecycle.ts`,
    from: 'return { ...kept(job), outcome: "released"',
    to: 'return { ...kept(job), failures: job.failures + 1, outcome: "released"',
    caughtBy: "sigterm",
  },
  {
    bug: "a crash is not counted",
    file: `${ENGINE}/job/crash.ts`,
    from: "const crashes = job.crashes + 1;",
    to: "const crashes = Math.max(1, job.crashes);",
    caughtBy: "poison",
  },
  {
    bug: "a suspect runs beside all others, and all of them are judged together",
    file: `${ENGINE}/pool/suspect-group.ts`,
    from: "#size = 1;",
    to: "#size = 1_000;",
    caughtBy: "poison",
  },
  {
    bug: "a first crash makes a suspect",
    file: `${ENGINE}/job/crash.ts`,
    from: "export const SUSPECT_CRASHES = 2;",
    to: "export const SUSPECT_CRASHES = 1;",
    caughtBy: "recovery",
  },
  {
    bug: "a death while the process stops is counted",
    file: `${ENGINE}/job/crash.ts`,
    from: "death.draining || past.savedStep",
    to: "past.savedStep",
    caughtBy: "recovery",
  },
  {
    bug: "a step begins on an old answer about its lease",
    file: `${ENGINE}/pool/context/lease-time.ts`,
    from: "return this.#ageMs < Math.min(this.#forMs, FRESH_MS);",
    to: "return true;",
    caughtBy: "packages/millrace/src/pool/context/context.test.ts",
  },
  {
    bug: "a step runs though the lease is over by the clock",
    file: `${ENGINE}/pool/context/steps.ts`,
    from: "while (lease.isOver) lease",
    to: "while (false) lease",
    caughtBy: "resumed",
  },
  {
    bug: "an I/O error is taken for a passing one",
    file: `${STORE}/connection/errors.ts`,
    from: "case IOERR:",
    to: "case 999:",
    caughtBy: "disk/error",
  },
  {
    bug: "nothing is set aside for a full disk",
    file: `${STORE}/connection/disk-room.ts`,
    from: "if (this.#path) rmSync(this.#path, { force: true });",
    to: "",
    caughtBy: "disk/full",
  },
  {
    bug: "children do not notice their parent's death",
    file: `${ENGINE}/pool/child/protocol.ts`,
    from: 'process.kill(-process.pid, "SIGKILL");',
    to: "",
    caughtBy: "isolated",
  },
  {
    bug: "a deadline kills the child alone, not what it started",
    file: `${ENGINE}/pool/child/child.ts`,
    from: 'process.kill(-this.pid, "SIGKILL")',
    to: 'process.kill(this.pid, "SIGKILL")',
    caughtBy: "isolated",
  },
  {
    bug: "a busy database is no reason to wait",
    file: `${STORE}/connection/write-turn.ts`,
    from: 'if (classify(error) !== "busy") throw error;',
    to: "throw error;",
    caughtBy: "neighbours",
  },
  {
    bug: "a wake is lost",
    file: `${STORE}/waits/waits.ts`,
    from: "core.statement(WAKE).run(wokenRunAt(now), now, row.id);",
    to: "if (row.id < 0) core.statement(WAKE).run(wokenRunAt(now), now, row.id);",
    caughtBy: "workflow",
  },
  {
    bug: "a signal that comes before its wait is dropped",
    file: `${STORE}/waits/signals.ts`,
    from: "HAS_SIGNALS }, now)) wake(core, row, now);",
    to: 'HAS_SIGNALS }, now)) wake(core, row, now);\n  else core.statement("DELETE FROM signal WHERE job = ? AND state = 0").run(row.id);',
    caughtBy: "workflow",
  },
  {
    bug: "a wait that lost its race takes a signal",
    file: `${STORE}/waits/waits.ts`,
    from: 'if (closed.type === "signal" && wait.source !== null)',
    to: 'if (closed.type === "race" && wait.source !== null)',
    caughtBy: "workflow",
  },
  {
    bug: "a sleep is started again",
    file: `${STORE}/waits/waits.ts`,
    from: "  startWaits(core, row, waits, now);",
    to: "  core.statement(\"DELETE FROM wait WHERE job = ? AND type = 'sleep' AND state = 0\").run(row.id);\n  startWaits(core, row, waits, now);",
    caughtBy: "workflow",
  },
  {
    bug: "an undo runs twice",
    file: `${STORE}/waits/undo.ts`,
    from: "done.name = 'undo:' || undo.name",
    to: "done.name = 'undone:' || undo.name",
    caughtBy: "workflow",
  },
  {
    bug: "a child is submitted twice",
    file: `${STORE}/children/start.ts`,
    from: "  if (known) return known;",
    to: '  if (known) core.statement("DELETE FROM wait WHERE job = ? AND name = ?").run(row.id, asked.name);',
    caughtBy: "workflow",
  },
  {
    bug: "the list of children is not stored",
    file: `${STORE}/children/start.ts`,
    from: "    edges.map((edge, place) =>",
    to: "    edges.slice(0, 0).map((edge, place) =>",
    caughtBy: "workflow",
  },
  {
    bug: "a join goes by a stale count",
    file: `${STORE}/children/edges.ts`,
    from: "!core.statement(HAS_OPEN).get(wait))) joinWait(core, wait, now);",
    to: '!core.statement("SELECT 1 WHERE (SELECT count(*) + 1 FROM edge WHERE wait = ? AND state = 0) > 0").get(wait))) joinWait(core, wait, now);',
    caughtBy: "workflow",
  },
];

export function testFileOf({ caughtBy }: Mutant): string {
  return caughtBy.endsWith(".test.ts") ? caughtBy : `test/faults/${caughtBy}.test.ts`;
}
