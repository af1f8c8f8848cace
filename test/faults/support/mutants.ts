// Proves the harness: known bugs are put into a copy of the engine one at a time, and the fault test named must fail.
//   bun test/faults/support/mutants.ts        (a few minutes; not part of CI)
// A mutant whose text is no longer in the source says so: change it along with the code.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface Mutant {
  bug: string;
  file: string;
  from: string;
  to: string;
  caughtBy: string;
}

const STORE = "packages/millrace/src/store/sqlite";

const MUTANTS: Mutant[] = [
  {
    bug: "a write with a stale token is taken",
    file: `${STORE}/settle.ts`,
    from: "row.standing === RUNNING && row.token === lease.token",
    to: "row.standing === RUNNING",
    caughtBy: "stop",
  },
  {
    bug: "an answer goes out though the commit did not happen",
    file: `${STORE}/core.ts`,
    from: 'this.db.exec("COMMIT");',
    to: 'this.db.exec(Math.random() < 0.01 ? "ROLLBACK" : "COMMIT");',
    caughtBy: "crash-commit",
  },
  {
    bug: "leases of the dead are never taken back",
    file: `${STORE}/revoke.ts`,
    from: "for (const instance of core.instances.dead()) {",
    to: "for (const instance of [] as number[]) {",
    caughtBy: "expiry",
  },
  {
    bug: "only a process that can be looked up is ever taken for dead",
    file: `${STORE}/instances.ts`,
    from: "(!patient && other.expires_at <= now)",
    to: "(false && other.expires_at <= now)",
    caughtBy: "stop",
  },
  {
    bug: "leases are renewed by the main loop only",
    file: `${STORE}/caretaker.ts`,
    from: "if (beatIsDue(this.#core)) this.#core.transact(() => beat(this.#core));",
    to: "",
    caughtBy: "blocked-loop",
  },
  {
    bug: "a clock set forward ends all leases",
    file: `${STORE}/instances.ts`,
    from: "const patient = clock.monotonic() < this.#expireNobodyUntil;",
    to: "const patient = false;",
    caughtBy: "clock",
  },
  {
    bug: "a counter is not moved when a lease is taken back",
    file: `${STORE}/apply.ts`,
    from: "core.counts.leave(row.stage, row.tenant, row.standing);",
    to: 'if (change.outcome !== "abandoned") core.counts.leave(row.stage, row.tenant, row.standing);',
    caughtBy: "expiry",
  },
  {
    bug: "stored steps are not found again",
    file: `${STORE}/settle.ts`,
    from: "return steps.map((step) => ({ stage,",
    to: "return steps.slice(0, 0).map((step) => ({ stage,",
    caughtBy: "crash-commit",
  },
  {
    bug: "a handed back job has an attempt burned",
    file: "packages/millrace/src/job/lifecycle.ts",
    from: 'return { ...kept(job), outcome: "released"',
    to: 'return { ...kept(job), failures: job.failures + 1, outcome: "released"',
    caughtBy: "sigterm",
  },
  {
    bug: "a crash is not counted",
    file: "packages/millrace/src/job/crash.ts",
    from: "const crashes = job.crashes + 1;",
    to: "const crashes = Math.max(1, job.crashes);",
    caughtBy: "poison",
  },
  {
    bug: "a suspect runs beside all others, and all of them are judged together",
    file: "packages/millrace/src/pool/suspect-group.ts",
    from: "#size = 1;",
    to: "#size = 1_000;",
    caughtBy: "poison",
  },
  {
    bug: "a first crash makes a suspect",
    file: "packages/millrace/src/job/crash.ts",
    from: "export const SUSPECT_CRASHES = 2;",
    to: "export const SUSPECT_CRASHES = 1;",
    caughtBy: "recovery",
  },
  {
    bug: "a death while the process stops is counted",
    file: "packages/millrace/src/job/crash.ts",
    from: "death.draining || past.savedStep",
    to: "past.savedStep",
    caughtBy: "recovery",
  },
  {
    bug: "a step runs though the lease is over by the clock",
    file: "packages/millrace/src/pool/context/context.ts",
    from: "while (lease.isOver) lease",
    to: "while (false) lease",
    caughtBy: "resumed",
  },
  {
    bug: "an I/O error is taken for a passing one",
    file: `${STORE}/errors.ts`,
    from: "case IOERR:",
    to: "case 999:",
    caughtBy: "disk-error",
  },
  {
    bug: "nothing is set aside for a full disk",
    file: `${STORE}/disk-room.ts`,
    from: "if (this.#path) rmSync(this.#path, { force: true });",
    to: "",
    caughtBy: "disk-full",
  },
  {
    bug: "children do not notice their parent's death",
    file: "packages/millrace/src/pool/child/watchdog.ts",
    from: 'process.kill(-process.pid, "SIGKILL");',
    to: "",
    caughtBy: "isolated",
  },
  {
    bug: "a deadline kills the child alone, not what it started",
    file: "packages/millrace/src/pool/child/child.ts",
    from: 'process.kill(-this.pid, "SIGKILL");',
    to: 'process.kill(this.pid, "SIGKILL");',
    caughtBy: "isolated",
  },
  {
    bug: "a busy database is no reason to wait",
    file: `${STORE}/write-turn.ts`,
    from: 'if (classify(error) !== "busy") throw error;',
    to: "throw error;",
    caughtBy: "neighbours",
  },
];

const root = fileURLToPath(new URL("../../..", import.meta.url));
const survivors = MUTANTS.filter((mutant) => !isCaught(mutant));
console.log(`${MUTANTS.length - survivors.length} of ${MUTANTS.length} caught`);
process.exitCode = survivors.length > 0 ? 1 : 0;

function isCaught({ bug, file, from, to, caughtBy }: Mutant): boolean {
  const copy = mkdtempSync(join(tmpdir(), "millrace-mutant-"));
  try {
    for (const part of ["src", "test", "package.json", "tsconfig.json"])
      cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(realpathSync(join(root, "node_modules")), join(copy, "node_modules"));
    const source = readFileSync(join(copy, file), "utf8");
    if (!source.includes(from)) {
      console.log(`out of date   ${bug}: its text is not in ${file}`);
      return false;
    }
    writeFileSync(
      join(copy, file),
      source.replace(from, () => to),
    );
    const run = process.versions["bun"] ? ["test"] : ["--test"];
    const options = { cwd: copy, timeout: 180_000, env: { ...process.env, FAULT_KILLS: "20" } };
    const { status } = spawnSync(process.execPath, [...run, `test/faults/${caughtBy}.test.ts`], options);
    console.log(`${status === 0 ? "NOT CAUGHT   " : "caught       "} ${bug} (${caughtBy})`);
    return status !== 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
