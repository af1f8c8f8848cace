// runtimes: bun
// time-limit: 180 s
// What processes must stand on a file, they must stand on PostgreSQL. FAULT_STOPS and FAULT_POISON=all are the long run.

import { test } from "node:test";
import { removeDatabasesAfterwards } from "../../support/postgres.ts";
import { isTorture, rounds } from "../../support/torture.ts";
import { PostgresCrew } from "../support/postgres-crew.ts";
import * as scenarios from "../support/scenarios.ts";

const STOPS = rounds("FAULT_STOPS", 1, 20);
const ALL_POISONS = isTorture || process.env["FAULT_POISON"] === "all";
const POISONS = ALL_POISONS ? (["abort", "kill", "exit"] as const) : (["kill"] as const);
/** A dead process is found by its lease alone: it may have been on another machine. */
const settings = { leaseMs: 1_500 };

removeDatabasesAfterwards();

test(
  `on PostgreSQL late writes of a process that was stopped beyond its lease are refused, ${STOPS} times`,
  {
    timeout: 60_000 + STOPS * 10_000,
  },
  async (t) => scenarios.sleepsThroughItsLease(await PostgresCrew.gather(t), STOPS),
);

test(
  "on PostgreSQL a processor that blocks its loop for three leases keeps its job",
  {
    timeout: 60_000,
  },
  async (t) => scenarios.blocksItsLoop(await PostgresCrew.gather(t)),
);

test(
  "on PostgreSQL SIGTERM under load burns no attempt and loses nothing",
  {
    timeout: 60_000,
  },
  async (t) => scenarios.terminatedUnderLoad(await PostgresCrew.gather(t), 1),
);

for (const dies of POISONS) {
  test(
    `on PostgreSQL one poison job (${dies}) takes no innocent along`,
    {
      timeout: 90_000,
    },
    async (t) => scenarios.onePoisonAmongInnocents(await PostgresCrew.gather(t), dies, { settings }),
  );
}

test(
  "on PostgreSQL whoever takes back the jobs of a dead process says so",
  {
    timeout: 60_000,
  },
  async (t) => scenarios.takenBackAtTheStart(await PostgresCrew.gather(t), { settings }),
);
