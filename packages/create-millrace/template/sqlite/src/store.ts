import { sqlite } from "millrace";

/** One file for all processes on this machine. */
export function openStore() {
  return sqlite(process.env.DATABASE_FILE ?? "./data/jobs.db");
}
