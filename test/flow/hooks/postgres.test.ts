// runtimes: bun

import { postgres } from "../../../packages/millrace/src/index.ts";
import { migratedDatabase, removeDatabasesAfterwards } from "../../support/postgres.ts";
import { describeHooksEverywhere } from "../support/hooks-everywhere-suite.ts";

removeDatabasesAfterwards();
describeHooksEverywhere("postgres", async () => {
  const url = await migratedDatabase();
  return { store: () => postgres(url), remove: async () => {} };
});
