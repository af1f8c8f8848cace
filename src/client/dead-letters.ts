import type { dlqRoutes } from "../api/dead-letters.ts";
import type { CallOptions } from "./jobs.ts";
import { ask, type Connection } from "./request.ts";
import { type BodyOf, dlq, type QueryOf } from "./routes.ts";
import type { DeadLetterGroup, DeadLetterList, ManyAnswer } from "./wire.ts";

type Query = QueryOf<typeof dlqRoutes.list>;
type Discard = QueryOf<typeof dlqRoutes.discard>;
/** As the filter of a list, and `code` and `error` of the failure. */
export type DeadLetterFilter = Omit<Query, "group" | "limit" | "offset">;

export interface DeadLetterCalls {
  list(filter?: Omit<Query, "group">, options?: CallOptions): Promise<DeadLetterList>;
  /** How many failed for the same reason. */
  groups(filter?: Omit<Query, "group">, options?: CallOptions): Promise<DeadLetterGroup[]>;
  revive(request: BodyOf<typeof dlqRoutes.revive>, options?: CallOptions): Promise<ManyAnswer>;
  /** By ids, 500 at most, or by a filter; all of them only with `all`. */
  discard(
    which: ((DeadLetterFilter & { readonly all?: boolean }) | { readonly ids: readonly string[] }) & {
      readonly dryRun?: boolean;
    },
    options?: CallOptions,
  ): Promise<ManyAnswer>;
}

export function deadLetterCalls(connection: Connection): DeadLetterCalls {
  return {
    list: (query = {}, options) => ask(connection, dlq.list, { query, ...options }),
    groups: async (query = {}, options) =>
      (await ask(connection, dlq.list, { query: { ...query, group: "error" }, ...options })).groups ?? [],
    revive: (body, options) => ask(connection, dlq.revive, { body, ...options }),
    discard: (query, options) => ask(connection, dlq.discard, { query: query as Discard, ...options }),
  };
}
