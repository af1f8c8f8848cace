// The entry millrace/outbox.

export type { MysqlConnection, SqliteConnection } from "../job/transaction-source.ts";
export type { MysqlPool } from "../transaction/databases/recognise-database.ts";
export type { LibsqlClient } from "./databases/libsql.ts";
export type { Dialect } from "./databases/tables.ts";
export { Outbox, type OutboxOptions, outbox } from "./outbox.ts";
export type { OutboxJobs, OutboxReceipt, OutboxTransaction, SqliteOutboxJobs } from "./within.ts";
