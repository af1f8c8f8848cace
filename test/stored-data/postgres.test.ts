// runtimes: bun

import pg from "pg";
import { ConnectionPool } from "../../packages/millrace/src/store/postgres/connection/connections.ts";
import { inspect } from "../../packages/millrace/src/store/postgres/connection/inspect.ts";
import { DatabaseTarget } from "../../packages/millrace/src/store/postgres/connection/target.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { restoreDatabase } from "./support/postgres-dump.ts";
import { describeStoredData } from "./support/suite.ts";

removeDatabasesAfterwards();

describeStoredData({
  store: "postgres",
  copy: async (dump) => {
    const url = await freshDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await restoreDatabase(client, dump);
    await client.end();
    return url;
  },
  inspect: async (url) => {
    const db = new ConnectionPool(new DatabaseTarget(url), { most: 1, limitMs: 5_000, name: "test" });
    const wrong = await inspect(db);
    await db.close();
    return wrong;
  },
});
