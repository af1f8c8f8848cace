// runtimes: bun or node

import { postgres } from "../../../packages/millrace/src/index.ts";
import { migratedDatabase, removeDatabasesAfterwards } from "../../support/postgres.ts";
import { describeStreams } from "../support/streams-suite.ts";

removeDatabasesAfterwards();

describeStreams("PostgreSQL", async () => {
  const url = await migratedDatabase();
  return { store: () => postgres(url), remove: async () => {} };
});
