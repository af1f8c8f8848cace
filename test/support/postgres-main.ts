// Started by scripts/test.js: one server for all test files of a run. It prints its address, and goes when its input ends.

import pg from "pg";
import { Connections } from "../../packages/millrace/src/store/postgres/connection/connections.ts";
import { DatabaseTarget } from "../../packages/millrace/src/store/postgres/connection/target.ts";
import { migrate } from "../../packages/millrace/src/store/postgres/migrations/migrate.ts";
import { PostgresServer, TEMPLATE } from "./postgres-server.ts";

const server = await PostgresServer.start();
await makeTemplate(server.url);
process.stdout.write(`${server.url}\n`);
const end = async () => {
  await server.remove();
  process.exit(0);
};
process.stdin.resume().once("end", end).once("error", end);
process.once("SIGTERM", end);

/**
 * A database in which all migrations have run. A copy of it costs a tenth of running them, and most tests on PostgreSQL begin with
 * an empty store.
 */
async function makeTemplate(serverUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  const url = new URL(serverUrl);
  url.pathname = `/${TEMPLATE}`;
  const target = new DatabaseTarget(url.href);
  const connections = new Connections(target);
  await migrate(connections.write, target);
  await connections.close();
  // A database cannot be copied while it has connections.
  await admin.query(`ALTER DATABASE ${TEMPLATE} WITH ALLOW_CONNECTIONS false`);
  await admin.end();
}
