// A job in a transaction of the application's own, on a client of `pg`: what each contender offers for it.

import { Logger, makeWorkerUtils } from "graphile-worker";
import type pg from "pg";
import { PgBoss } from "pg-boss";
import { defineKind, Millrace, postgres } from "../../packages/millrace/src/index.ts";
import type { Payload } from "./contender.ts";
import { anyPayload } from "./millrace.ts";

export type WhoWithin = "millrace postgres" | "graphile-worker" | "pg-boss";

export interface Submitter {
  /** In the transaction that is open on the client. */
  submit(client: pg.PoolClient, payload: Payload): Promise<unknown>;
  close(): Promise<unknown>;
}

export function openWithin(who: WhoWithin, url: string): Promise<Submitter> {
  switch (who) {
    case "millrace postgres":
      return openMillrace(url);
    case "graphile-worker":
      return openGraphile(url);
    case "pg-boss":
      return openPgBoss(url);
  }
}

async function openMillrace(url: string): Promise<Submitter> {
  const noop = defineKind({ name: "noop", payload: anyPayload, run: () => undefined });
  const millrace = await Millrace.open({ store: postgres(url), kinds: [noop], work: false });
  return {
    submit: (client, payload) => millrace.within(client).submit(noop, payload),
    close: () => millrace.stop(),
  };
}

/** Its function in SQL is what its documentation names for transactions. */
async function openGraphile(url: string): Promise<Submitter> {
  const utils = await makeWorkerUtils({ connectionString: url, logger: new Logger(() => () => {}) });
  await utils.migrate();
  return {
    submit: (client, payload) =>
      client.query("SELECT graphile_worker.add_job($1, $2::json)", ["noop", JSON.stringify(payload)]),
    close: () => utils.release() as Promise<unknown>,
  };
}

async function openPgBoss(url: string): Promise<Submitter> {
  const boss = new PgBoss({ connectionString: url, max: 10 });
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue("noop");
  return {
    submit: (client, payload) =>
      boss.send("noop", payload, { db: { executeSql: (text, values) => client.query(text, values) } }),
    close: () => boss.stop({ graceful: false }),
  };
}
