// `pg` is an optional peer: programs on SQLite do not install it. It is loaded when the first connection opens.

import type pg from "pg";
import { AppError } from "../../../lib/app-error.ts";

export type Driver = typeof pg;

let driver: Driver | undefined;

export async function loadDriver(): Promise<Driver> {
  if (driver !== undefined) return driver;
  try {
    driver = (await import("pg")).default;
    return driver;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new AppError("driver-missing", 'PostgreSQL needs the package "pg". Install it with: npm install pg', {
      hint: "npm install pg",
      cause: error,
    });
  }
}

/** Only the package itself: a file that `pg` misses is another fault, with a message of its own. */
function isMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === "ERR_MODULE_NOT_FOUND" && /package 'pg'/.test(message ?? "");
}
