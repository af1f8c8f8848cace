// Faults of outboxes and of callers' transactions, put in one at a time: each would make two jobs of a row or none, or let others wait.

import type { Mutant } from "./list.ts";

const STORE = "packages/millrace/src/store/sqlite";
const CONTRACT = `${STORE}/store.test.ts`;
const POSTGRES = "packages/millrace/src/store/postgres";
const WITHIN = "test/transactions/postgres-within.test.ts";

export const OUTBOX_MUTANTS: readonly Mutant[] = [
  {
    bug: "a relay whose lease has ended applies its rows",
    file: `${STORE}/submit/outbox.ts`,
    from: "if (held?.token !== token || held.expires_at <= core.clock.now())",
    to: "if (held === undefined)",
    caughtBy: CONTRACT,
    only: "takes nothing from a holder whose lease has ended",
  },
  {
    bug: "the ids of rows are not stored with their jobs",
    file: `${STORE}/submit/outbox.ts`,
    from: "core.statement(ADD_APPLIED).run(name, row.id);",
    to: "",
    caughtBy: CONTRACT,
    only: "has one job for each row, however often the row comes",
  },
  {
    bug: "a row that is refused for good is dropped",
    file: "packages/millrace/src/store/decide/outbox/rows.ts",
    from: 'return { type: "dead", failure: { code, message, permanent: true } };',
    to: 'return { type: "stored" };',
    caughtBy: CONTRACT,
    only: "makes dead letters of rows that are refused for good",
  },
  {
    bug: "the ids of rows are stored after their jobs",
    file: `${STORE}/submit/outbox.ts`,
    from: "core.statement(ADD_APPLIED).run(name, row.id);",
    to: "setTimeout(() => core.statement(ADD_APPLIED).run(name, row.id), 50);",
    caughtBy: "test/transactions/postgres-outbox.test.ts",
    only: "has one job for each row after",
  },
  {
    bug: "on PostgreSQL a relay whose lease has ended applies its rows",
    file: `${POSTGRES}/submit/outbox.ts`,
    from: "WHERE name = $3 AND token = $4 AND expires_at >",
    to: "WHERE name = $3 AND $4::bigint IS NOT NULL AND 1 <",
    caughtBy: `${POSTGRES}/store.test.ts`,
    only: "takes nothing from a holder whose lease has ended",
  },
  {
    bug: "on PostgreSQL the ids of rows are stored after their jobs",
    file: `${POSTGRES}/submit/outbox.ts`,
    from: "if (stored.length > 0) await tx.run(ADD_APPLIED, [name, texts(stored)]);",
    to: "if (stored.length > 0) setTimeout(() => void core.connections.write.run(ADD_APPLIED, [name, texts(stored)]), 50);",
    caughtBy: "test/transactions/postgres-outbox.test.ts",
    only: "has one job for each row after",
  },
  {
    bug: "a caller's transaction locks the counter of its tenant",
    file: `${POSTGRES}/submit/insert-within.ts`,
    from: "const INSERT_ONE = `WITH inserted AS (",
    to: "const INSERT_ONE = `WITH held AS (UPDATE millrace.lane SET turn = turn WHERE $5::int > 0 RETURNING 1), inserted AS (",
    caughtBy: WITHIN,
    only: "hold their transactions",
  },
];
