// alone
import test from "node:test";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { Crew } from "./crew.ts";
import { PostgresCrew } from "./postgres-crew.ts";
import * as scenarios from "./scenarios.ts";

removeDatabasesAfterwards();

for (const on of ["SQLite", "PostgreSQL"] as const) {
  const gather = async (t: test.TestContext) => (on === "SQLite" ? new Crew(t) : PostgresCrew.gather(t));

  test(
    `on ${on} submissions one by one beside a saturating process take 50 ms at p99`,
    { timeout: 120_000 },
    async (t) => scenarios.submitsBesideAFlood(await gather(t)),
  );

  test(
    `on ${on} four processes that submit and work together complete each job once`,
    { timeout: 120_000 },
    async (t) => scenarios.workTogether(await gather(t)),
  );
}
