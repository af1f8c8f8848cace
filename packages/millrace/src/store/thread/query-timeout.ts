import { AppError } from "../../lib/app-error.ts";

export function queryTimeout(limitMs: number): AppError {
  return new AppError("query-timeout", `The query did not finish within ${limitMs} ms.`, {
    hint: "Narrow the filter by tenant, kind, status or time, or search less often. QUERY_TIMEOUT_MS is the limit.",
  });
}
