// Started by scripts/test.js: one server for all test files of a run. It prints its address, and goes when its input ends.

import { PostgresServer } from "./postgres-server.ts";
import { makeTemplate } from "./postgres-template.ts";

const server = await PostgresServer.start();
await makeTemplate(server.url);
process.stdout.write(`${server.url}\n`);
const end = async () => {
  await server.remove();
  process.exit(0);
};
process.stdin.resume().once("end", end).once("error", end);
process.once("SIGTERM", end);
