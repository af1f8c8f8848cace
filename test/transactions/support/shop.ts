// An application with a table of its own in the database of the store.

import { Millrace, type MillraceOptions, postgres } from "millrace";
import pg from "pg";
import { migratedDatabase } from "../../support/postgres.ts";
import { charge, parcel } from "./kinds.ts";

export interface Shop {
  url: string;
  pool: pg.Pool;
  millrace: Millrace;
  orders(): Promise<number[]>;
  /** Another process with the same kinds. */
  open(options?: Partial<MillraceOptions>): Promise<Millrace>;
}

export async function begin(pool: pg.Pool, isolation = "READ COMMITTED"): Promise<pg.PoolClient> {
  const client = await pool.connect();
  await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
  return client;
}

export async function end(client: pg.PoolClient, how: "COMMIT" | "ROLLBACK"): Promise<void> {
  await client.query(how);
  client.release();
}

export async function openShop(
  t: { after(end: () => Promise<unknown>): void },
  options: Partial<MillraceOptions> = {},
): Promise<Shop> {
  const url = await migratedDatabase();
  const pool = new pg.Pool({ connectionString: url });
  t.after(() => pool.end());
  const open = async (more: Partial<MillraceOptions> = {}) => {
    const millrace = await Millrace.open({ store: postgres(url), kinds: [charge, parcel], log: false, ...more });
    t.after(() => millrace.stop());
    return millrace;
  };
  const millrace = await open(options);
  await pool.query('CREATE TABLE public."order" (id int PRIMARY KEY)');
  const orders = async () => (await pool.query('SELECT id FROM public."order" ORDER BY id')).rows.map(({ id }) => id);
  return { url, pool, millrace, orders, open };
}
