// One row of the application and one job in a transaction of its own: BEGIN, INSERT, submit, COMMIT, on as many connections as a
// web application has.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { payloadOf } from "../../contenders/contender.ts";
import { openWithin, type WhoWithin } from "../../contenders/within.ts";
import type { Case, Measure } from "../../harness.ts";
import { cpuSeconds, withServer } from "./server.ts";

const WHO: WhoWithin[] = ["millrace postgres", "graphile-worker", "pg-boss"];
/** The contenders have connections of their own beside those that are measured. */
const MORE_CONNECTIONS = 50;

export const postgresWithin: Measure = {
  name: "postgres-within",
  title: "PostgreSQL: a row and a job in one transaction of the application",
  unit: "transactions/s",
  cases: ({ quick }) =>
    [1, 50, 200].flatMap((connections) =>
      WHO.map((who): Case => {
        const setting = `${connections} connection${connections === 1 ? "" : "s"}`;
        const count = connections === 1 ? 3_000 : 20_000;
        return {
          who,
          setting,
          against: { who: "graphile-worker", setting },
          with: { connections, count: quick ? count / 10 : count },
        };
      }),
    ),
  run: (each, dir) => {
    const { connections, count } = each.with as { connections: number; count: number };
    return withServer(
      dir,
      async (server) => {
        const url = readFileSync(join(dir, "url"), "utf8");
        const pool = new pg.Pool({ connectionString: url, max: connections });
        await pool.query("CREATE TABLE shop_order (id bigint PRIMARY KEY)");
        const submitter = await openWithin(each.who as WhoWithin, url);
        let next = 0;
        const caller = async (client: pg.PoolClient, until: number) => {
          while (next < until) {
            const id = next++;
            await client.query("BEGIN");
            await client.query("INSERT INTO shop_order (id) VALUES ($1)", [id]);
            await submitter.submit(client, payloadOf(id));
            await client.query("COMMIT");
          }
        };
        const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
        const all = (until: number) => Promise.all(clients.map((client) => caller(client, until)));
        await all(count / 5);
        const start = performance.now();
        const cpu = process.cpuUsage();
        const serverCpu = cpuSeconds(server);
        await all(count / 5 + count);
        const seconds = (performance.now() - start) / 1_000;
        const { user, system } = process.cpuUsage(cpu);
        const figures = {
          "transactions/s": count / seconds,
          "CPU us": (user + system) / count,
          "server CPU us": ((cpuSeconds(server) - serverCpu) * 1_000_000) / count,
        };
        for (const client of clients) client.release();
        await submitter.close();
        await pool.end();
        return figures;
      },
      { max_connections: String(connections + MORE_CONNECTIONS) },
    );
  },
};
