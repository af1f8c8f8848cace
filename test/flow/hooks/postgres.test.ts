// runtimes: bun

import { postgres } from "../../../packages/millrace/src/index.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../../support/postgres.ts";
import { describeHooksEverywhere } from "../support/hooks-everywhere-suite.ts";

removeDatabasesAfterwards();
describeHooksEverywhere("postgres", async () => {
  const url = await freshDatabase();
  return { store: () => postgres(url), remove: async () => {} };
});
