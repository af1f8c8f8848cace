// runtimes: bun
// The headers depend on no store, and artifacts.test.ts checks them on both runtimes.

import { describe } from "node:test";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { artifactPromises } from "./support/artifacts.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer({ path: await freshDatabase() });
removeDatabasesAfterwards();

describe("the artifacts of a job, on PostgreSQL", () => {
  artifactPromises(server);
});
