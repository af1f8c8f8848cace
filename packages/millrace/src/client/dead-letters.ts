import type { dlqRoutes } from "../api/dead-letters.ts";
import type { CallOptions } from "./jobs.ts";
import { ask, type Connection } from "./request.ts";
import { type BodyOf, dlq, type QueryOf } from "./routes.ts";
import type { DeadLetterCause, DeadLetterCauses, DeadLetterGroup, DeadLetterList, ManyAnswer } from "./wire.ts";

type Query = QueryOf<typeof dlqRoutes.list>;
type Discard = QueryOf<typeof dlqRoutes.discard>;
/** Which dead letters: like the filter of a job list, with `code` and `error` of the failure. */
export type DeadLetterFilter = Omit<Query, "group" | "limit" | "offset" | "sort" | "cursor">;
/** Which causes, in which order: `q` searches the causes, `limit` is the size of a page of causes. */
export type CauseQuery = Omit<Query, "group" | "offset">;

/** Calls about failed jobs. */
export interface DeadLetterCalls {
  /** One page of dead letters, newest first. */
  list(filter?: Omit<Query, "group" | "sort" | "cursor">, options?: CallOptions): Promise<DeadLetterList>;
  /** Dead letters grouped by reason, with the number of each. */
  groups(filter?: Omit<Query, "group" | "sort" | "cursor">, options?: CallOptions): Promise<DeadLetterGroup[]>;
  /** One page of the causes of dead letters: messages that differ only in ids, numbers and quoted values are one cause. */
  causes(query?: CauseQuery, options?: CallOptions): Promise<DeadLetterCauses>;
  /** Submits their work again as new jobs: by ids, by a filter, or all of them. */
  revive(request: BodyOf<typeof dlqRoutes.revive>, options?: CallOptions): Promise<ManyAnswer>;
  /**
   * Deletes dead letters: by at most 500 ids, or by a filter; all of them only with `all: true`. With `dryRun: true`
   * nothing is deleted and the answer says what would be.
   */
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
      ((await ask(connection, dlq.list, { query: { ...query, group: "error" }, ...options })).groups ??
        []) as DeadLetterGroup[],
    causes: async (query = {}, options) => {
      const answer = await ask(connection, dlq.list, { query: { ...query, group: "fingerprint" }, ...options });
      const { groups = [], groupCount = 0, total, nextCursor } = answer;
      return {
        causes: groups as DeadLetterCause[],
        groupCount,
        total,
        ...(nextCursor !== undefined && { nextCursor }),
      };
    },
    revive: (body, options) => ask(connection, dlq.revive, { body, ...options }),
    discard: (query, options) => ask(connection, dlq.discard, { query: query as Discard, ...options }),
  };
}
