import type { z } from "zod";
import type { dlqRoutes } from "../../api/dead-letters.ts";
import type { DeadLetterCause } from "../../job/report/cause-page.ts";
import type { DeadLetterGroup } from "../../store/verbs/jobs.ts";
import type { Caller } from "../auth/caller.ts";
import type { Engine } from "../engine.ts";
import { withoutPaths } from "../redact.ts";
import { dlqFilterOf } from "../request/filter.ts";

type Query = z.output<NonNullable<typeof dlqRoutes.list.query>>;

/** Dead letters with the same error. */
export async function groupsByError(engine: Engine, query: Query, caller: Caller) {
  const groups = await engine.admin.deadLetterGroups(dlqFilterOf(query, caller));
  return groups.map((group) => groupView(group, caller));
}

/** A page of causes. `q` searches the causes, since a search in all payloads would take a second at every letter that is typed. */
export async function causesPage(engine: Engine, { q, sort, cursor, limit = 50, ...query }: Query, caller: Caller) {
  const { causes, ...page } = await engine.admin.deadLetterCauses(dlqFilterOf(query, caller), {
    limit,
    ...(q !== undefined && { search: q }),
    ...(sort !== undefined && { sort }),
    ...(cursor !== undefined && { cursor }),
  });
  return { items: [], groups: causes.map((cause) => groupView(cause, caller)), ...page, limit, offset: 0 };
}

/** Paths of the server are for the administrator only. */
function groupView<Group extends DeadLetterGroup | DeadLetterCause>(group: Group, caller: Caller) {
  const { message, firstAt, lastAt, ...rest } = group;
  return {
    ...rest,
    lastError: caller.root ? message : withoutPaths(message),
    firstAt: new Date(firstAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
  };
}
