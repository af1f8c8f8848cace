// Faults of plans and deployments that ordinary operation met, put back one at a time.

import type { Mutant } from "./list.ts";

const ENGINE = "packages/millrace/src";
const STORE = `${ENGINE}/store`;
const CONTRACT = `${STORE}/sqlite/store.test.ts`;

export const DEPLOYMENT_MUTANTS: readonly Mutant[] = [
  {
    bug: "an old process that opens last rules over the newer one",
    file: `${STORE}/plans/catalog.ts`,
    from: "return b.number - a.number || b.instance - a.instance;",
    to: "return b.instance - a.instance;",
    caughtBy: CONTRACT,
    only: "of an old process that opens last",
  },
  {
    bug: "a process that does not work decides the plan though a worker lives",
    file: `${STORE}/plans/catalog.ts`,
    from: "known.workers.find((worker) => this.#mayUse(worker)) ??",
    to: "own ?? known.workers.find((worker) => this.#mayUse(worker)) ??",
    caughtBy: CONTRACT,
    only: "counts only where no worker lives",
  },
  {
    bug: "a contract alone does not submit under the last worker's plan",
    file: `${STORE}/plans/catalog.ts`,
    from: "[own, known.last].find((each)",
    to: "[own].find((each)",
    caughtBy: CONTRACT,
    only: "of the last worker is what a contract alone",
  },
  {
    bug: "a job without a plan gets none from the first worker",
    file: `${STORE}/sqlite/register/workers.ts`,
    from: "if (worked.length > 0) for (const { plan } of entered) givePlan(core, plan.name);",
    to: "",
    caughtBy: CONTRACT,
    only: "is given to jobs that came before any",
  },
  {
    bug: "a plan above the engine's level is worked on",
    file: `${STORE}/plans/catalog.ts`,
    from: "return this.needs(stage) > ENGINE_LEVEL;",
    to: "return false;",
    caughtBy: CONTRACT,
    only: "above the level of this engine",
  },
  {
    bug: "two plans of a kind live under one label",
    file: `${STORE}/sqlite/register/workers.ts`,
    from: "if (other) throw planConflict(",
    to: "if (false) throw planConflict(",
    caughtBy: CONTRACT,
    only: "has one plan of a kind",
  },
  {
    bug: "a rollback keeps its old number",
    file: `${STORE}/plans/deployment.ts`,
    from: "if (resumed || endedAt === null) return false;",
    to: "return false;",
    caughtBy: CONTRACT,
    only: "rolled back to",
  },
  {
    bug: "any worker takes a pinned job",
    file: `${STORE}/plans/catalog.ts`,
    from: "(row.pin === 0 || row.pin === deployment) &&",
    to: "",
    caughtBy: CONTRACT,
    only: "alone takes the jobs that are pinned to it",
  },
  {
    bug: "jobs at a renamed stage's old name are not found",
    file: `${ENGINE}/job/kind/plan.ts`,
    from: "return [name, ...renamedFrom];",
    to: "return [name, ...renamedFrom.slice(0, 0)];",
    caughtBy: "test/flow/explain/sqlite.test.ts",
    only: "newer workers have renamed",
  },
  {
    bug: "the retention of a process that only submits counts",
    file: `${STORE}/plans/catalog.ts`,
    from: "rulesOf(kind.name, living[0]?.policy ?? kind.policy)",
    to: "rulesOf(kind.name, living.at(-1)?.policy ?? kind.policy)",
    caughtBy: CONTRACT,
    only: "says how long jobs are kept",
  },
  {
    bug: "a file is migrated while a process of version 0.1.0 lives",
    file: `${STORE}/sqlite/migrations/migrate.ts`,
    from: "if (version > 0 && version < BREAKING) refuseOldProcesses(db);",
    to: "",
    caughtBy: `${STORE}/sqlite/migrations/migrate.test.ts`,
    only: "process of the first version",
  },
  {
    bug: "stages that no process serves leave health ok",
    file: `${ENGINE}/engine/health.ts`,
    from: "const isWell = warnings.length + unserved.length === 0;",
    to: "const isWell = warnings.length === 0;",
    caughtBy: "test/flow/deployments.test.ts",
    only: "leaves a stage unserved",
  },
  {
    bug: "a deployment counts as drained while a job has its stage ahead",
    file: `${STORE}/plans/deployment.ts`,
    from: ".slice(position + 1)",
    to: ".slice(99)",
    caughtBy: "test/flow/deployments.test.ts",
    only: "does not call a deployment drained",
  },
  {
    bug: "a result that does not fit the contract completes the job",
    file: `${ENGINE}/pool/run/result-check.ts`,
    from: "if (checked.issues) throw mismatch(issuesText(checked.issues));",
    to: 'if (checked.issues) return resultText("broken");',
    caughtBy: "test/flow/deployments.test.ts",
    only: "is kept by the last stage",
  },
];
