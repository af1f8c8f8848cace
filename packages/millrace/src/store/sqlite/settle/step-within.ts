// Only Millrace writes to its file, so a step in a transaction of the application is stored in the application's own database.

import { needsPostgres } from "../submit/submit-within.ts";

export function saveStepWithin(): never {
  throw needsPostgres("Submit");
}

export function endStepWithin(): void {}
