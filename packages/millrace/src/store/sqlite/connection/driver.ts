// SQLite as the runtime brings it. It is loaded by name rather than imported: a runtime without it would refuse every file
// that leads here with "No such built-in module: node:sqlite" before any code of ours could say what is needed.

import { requireSqlite } from "./require-sqlite.ts";

requireSqlite();

export const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
export type DatabaseSync = InstanceType<typeof DatabaseSync>;
