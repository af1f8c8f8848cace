// runtimes: bun or node

import { describe } from "node:test";
import { artifactPromises, contentPromises } from "./support/artifacts.ts";
import { sharedServer } from "./support/server.ts";

const server = await sharedServer();

describe("the artifacts of a job, on SQLite", () => {
  artifactPromises(server);
  contentPromises(server);
});
