// One adapter for each library: how it runs a statement with values, and where its rows are. Values are strings, which all of them
// pass on as they are.

import type {
  KnexTransaction,
  KyselyTransaction,
  PgTransaction,
  PostgresJsTransaction,
  PrismaTransaction,
  Transaction,
  TypeormTransaction,
} from "../transaction.ts";

type Rows = readonly { answer: string }[];
type Values = readonly (string | null)[];

/** Makes a transaction of what runs its statements. */
export function adapted(query: (text: string, values: Values) => Promise<Rows>): Transaction {
  return { isAdapted: true, query };
}

/** A client of `pg` on which `BEGIN` has run. */
export function fromPg(client: PgTransaction): Transaction {
  return adapted(async (text, values) => (await client.query(text, [...values])).rows);
}

/** The `sql` that `sql.begin()` of `postgres` hands out. */
export function fromPostgresJs(sql: PostgresJsTransaction): Transaction {
  return adapted(async (text, values) => [...(await sql.unsafe(text, [...values]))]);
}

/** The transaction of Kysely. */
export function fromKysely(trx: KyselyTransaction): Transaction {
  return adapted(async (text, values) => {
    // What CompiledQuery.raw() makes.
    const query = { kind: "RawNode", sqlFragments: [text], parameters: [] };
    const compiled = { sql: text, parameters: [...values], query, queryId: { queryId: "millrace" } };
    return (await trx.executeQuery(compiled)).rows as unknown as Rows;
  });
}

/** The transaction of Knex. */
export function fromKnex(trx: KnexTransaction): Transaction {
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
export function fromPrisma(tx: PrismaTransaction): Transaction {
  return adapted(async (text, values) => await tx.$queryRawUnsafe(text, ...values));
}

/** The entity manager or query runner of TypeORM. */
export function fromTypeorm(manager: TypeormTransaction): Transaction {
  return adapted((text, values) => manager.query(text, [...values]));
}
