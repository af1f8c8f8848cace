import { postgres } from "millrace";
import { required } from "./env.ts";

/** One database for all processes, on as many machines as you like. Millrace keeps its tables in a schema of its own. */
export function openStore() {
  return postgres(required("DATABASE_URL"));
}
