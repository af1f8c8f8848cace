// One adapter for each library: how it runs a statement with values, and where its rows are. Values are strings, which all of them
// pass on as they are.

import type { CallerTransaction } from "../store/verbs/caller-transaction.ts";
import type {
  DrizzleTransaction,
  KnexTransaction,
  KyselyTransaction,
  PgTransaction,
  PostgresJsTransaction,
  PrismaTransaction,
  TypeormTransaction,
} from "./transaction.ts";

type Rows = readonly { answer: string }[];
type Values = readonly (string | null)[];

/** Makes a transaction of what runs its statements. */
function adapted(query: (text: string, values: Values) => Promise<Rows>): CallerTransaction {
  return { query };
}

/** A client of `pg` on which `BEGIN` has run. */
export function fromPg(client: PgTransaction): CallerTransaction {
  return adapted(async (text, values) => (await client.query(text, [...values])).rows);
}

/** The `sql` that `sql.begin()` of `postgres` hands out. */
export function fromPostgresJs(sql: PostgresJsTransaction): CallerTransaction {
  return adapted(async (text, values) => [...(await sql.unsafe(text, [...values]))]);
}

/** The transaction of Drizzle, on `pg` and on `postgres`. */
export function fromDrizzle(tx: DrizzleTransaction): CallerTransaction {
  return adapted(async (text, values) => {
    // A query of Drizzle is an object that compiles itself. One of our own saves the import, which a bundler would have to resolve.
    const compiled = { sql: text, params: [...values] };
    const result = await tx.execute({ getSQL: () => ({ toQuery: () => compiled }) });
    return Array.isArray(result) ? [...result] : result.rows;
  });
}

/** The transaction of Kysely. */
export function fromKysely(trx: KyselyTransaction): CallerTransaction {
  return adapted(async (text, values) => {
    // The node that CompiledQuery.raw() makes.
    const query = { kind: "RawNode", sqlFragments: [text], parameters: [] };
    const compiled = { sql: text, parameters: [...values], query, queryId: { queryId: "millrace" } };
    return (await trx.executeQuery(compiled)).rows as unknown as Rows;
  });
}

/** The transaction of Knex. */
export function fromKnex(trx: KnexTransaction): CallerTransaction {
  return adapted(async (text, values) => {
    const bindings: (string | null)[] = [];
    const query = text.replaceAll("?", "\\?").replace(/\$(\d+)/g, (_, number: string) => {
      bindings.push(values[Number(number) - 1] ?? null);
      return "?";
    });
    return (await trx.raw(query, bindings)).rows;
  });
}

/** The transaction of Prisma. */
export function fromPrisma(tx: PrismaTransaction): CallerTransaction {
  return adapted(async (text, values) => await tx.$queryRawUnsafe(text, ...values));
}

/** The entity manager or query runner of TypeORM. */
export function fromTypeorm(manager: TypeormTransaction): CallerTransaction {
  return adapted((text, values) => manager.query(text, [...values]));
}
