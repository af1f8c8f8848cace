// The tables that Millrace uses in a database of the application. `millrace_outbox` has rows that are to become jobs, `millrace_step` the
// steps of ctx.transaction(), and `millrace_meta` what tells this database from others.

/** The kinds of databases that an application's tables can be in. */
export type Dialect = "sqlite" | "postgres" | "mysql";

const SQLITE = [
  `CREATE TABLE IF NOT EXISTS millrace_outbox (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  options TEXT,
  tenant TEXT,
  created_at INTEGER NOT NULL DEFAULT (CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
)`,
  "CREATE INDEX IF NOT EXISTS millrace_outbox_order ON millrace_outbox (created_at, id)",
  `CREATE TABLE IF NOT EXISTS millrace_step (
  id TEXT PRIMARY KEY NOT NULL,
  job TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  saved_at INTEGER NOT NULL
)`,
  "CREATE TABLE IF NOT EXISTS millrace_meta (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)",
];

const POSTGRES = [
  `CREATE TABLE IF NOT EXISTS millrace_outbox (
  id text PRIMARY KEY,
  kind text NOT NULL,
  payload text NOT NULL,
  options text,
  tenant text,
  created_at bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
)`,
  "CREATE INDEX IF NOT EXISTS millrace_outbox_order ON millrace_outbox (created_at, id)",
  `CREATE TABLE IF NOT EXISTS millrace_step (
  id text PRIMARY KEY,
  job text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  saved_at bigint NOT NULL
)`,
  "CREATE TABLE IF NOT EXISTS millrace_meta (name text PRIMARY KEY, value text NOT NULL)",
];

const TEXT = "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";

const MYSQL = [
  `CREATE TABLE IF NOT EXISTS millrace_outbox (
  id VARCHAR(255) ${TEXT} NOT NULL PRIMARY KEY,
  kind VARCHAR(255) ${TEXT} NOT NULL,
  payload LONGTEXT ${TEXT} NOT NULL,
  options LONGTEXT ${TEXT},
  tenant VARCHAR(64) ${TEXT},
  created_at BIGINT NOT NULL DEFAULT (ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)),
  INDEX millrace_outbox_order (created_at, id)
) ENGINE = InnoDB`,
  `CREATE TABLE IF NOT EXISTS millrace_step (
  id VARCHAR(64) ${TEXT} NOT NULL PRIMARY KEY,
  job VARCHAR(64) ${TEXT} NOT NULL,
  name TEXT ${TEXT} NOT NULL,
  value LONGTEXT ${TEXT} NOT NULL,
  saved_at BIGINT NOT NULL
) ENGINE = InnoDB`,
  `CREATE TABLE IF NOT EXISTS millrace_meta (
  name VARCHAR(64) ${TEXT} NOT NULL PRIMARY KEY,
  value VARCHAR(255) ${TEXT} NOT NULL
) ENGINE = InnoDB`,
];

/** The statements that create the tables, for a migration of the application's own. */
export const TABLES: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: SQLITE,
  postgres: POSTGRES,
  mysql: MYSQL,
};
