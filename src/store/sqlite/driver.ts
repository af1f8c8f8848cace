// SQLite as the runtime brings it. Asked for by name rather than imported: a runtime without it would refuse the whole package
// with "No such built-in module: node:sqlite" before any code of ours could say what is needed.

import { AppError } from "../../lib/app-error.ts";

const driver = process.getBuiltinModule?.("node:sqlite");
if (!driver) {
  const found = `This is Node ${process.versions.node}.`;
  throw new AppError("runtime-too-old", `Millrace needs Node 24 or Bun 1.4 or newer. ${found}`, {
    hint: "Use Bun or a newer Node to run your program.",
  });
}

export const { DatabaseSync } = driver;
export type DatabaseSync = InstanceType<typeof DatabaseSync>;
