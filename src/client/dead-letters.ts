import type { z } from "zod";
import type { DeadLetterGroup, dlqRoutes } from "../api/dead-letters.ts";
import type { ManyAnswer } from "../api/job.ts";
import type { CallOptions } from "./jobs.ts";
import { ask, type Connection } from "./request.ts";
import { type AnswerOf, type BodyOf, dlq, type QueryOf } from "./routes.ts";

type Query = QueryOf<typeof dlqRoutes.list>;
/** As the filter of a list, and `code` and `error` of the failure. */
export type DeadLetterFilter = Omit<Query, "group" | "limit" | "offset">;

export interface DeadLetterCalls {
  list(filter?: Omit<Query, "group">, options?: CallOptions): Promise<AnswerOf<typeof dlqRoutes.list>>;
  /** How many failed for the same reason. */
  groups(filter?: Omit<Query, "group">, options?: CallOptions): Promise<z.output<typeof DeadLetterGroup>[]>;
  revive(request: BodyOf<typeof dlqRoutes.revive>, options?: CallOptions): Promise<z.output<typeof ManyAnswer>>;
  discard(
    filter: DeadLetterFilter & { readonly dryRun?: boolean; readonly all?: boolean },
    options?: CallOptions,
  ): Promise<z.output<typeof ManyAnswer>>;
}

export function deadLetterCalls(connection: Connection): DeadLetterCalls {
  return {
    list: (query = {}, options) => ask(connection, dlq.list, { query, ...options }),
    groups: async (query = {}, options) =>
      (await ask(connection, dlq.list, { query: { ...query, group: "error" }, ...options })).groups ?? [],
    revive: (body, options) => ask(connection, dlq.revive, { body, ...options }),
    discard: (query, options) => ask(connection, dlq.discard, { query, ...options }),
  };
}
