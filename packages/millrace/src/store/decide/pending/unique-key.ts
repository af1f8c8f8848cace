// How a job takes over a unique key that it was submitted without.

import { AppError } from "../../../lib/app-error.ts";
import { HAS_UNIQUE_KEY } from "../../codes.ts";

/** Throws if the job has a unique key already: a job has one at most. */
export function refuseSecondKey({ flags }: { flags: number }): void {
  if (flags & HAS_UNIQUE_KEY) throw new AppError("conflict", "The job has another unique key.");
}
