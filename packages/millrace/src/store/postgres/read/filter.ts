import { causesWith } from "../../../job/report/cause.ts";
import { CANCELLED, codeOf, FAILED, FOLLOWS, HELD, READY, REJECTED, RUNNING, SCHEDULED, SUSPECT } from "../../codes.ts";
import { HOLDS_KEY, KEYED } from "../../keys/codes.ts";
import { stagesNamed } from "../../plans/filtered-stages.ts";
import { needles } from "../../search.ts";
import type { JobFilter } from "../../verbs/job-filter.ts";
import { NEVER, OPEN, WAITING } from "../../waits/codes.ts";
import { parseWaitFilter } from "../../waits/filter.ts";
import { numbers } from "../connection/arrays.ts";
import type { Value } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { statusCondition } from "./status-filter.ts";

export interface Conditions {
  where: string;
  values: Value[];
}

/** The conditions are whole phrases of our own, with `?` for each value; every value is bound. */
export async function conditions(core: Core, filter: JobFilter): Promise<Conditions> {
  const phrases: string[] = ["TRUE"];
  const values: Value[] = [];
  const add = (phrase: string, ...bound: Value[]) => {
    let next = 0;
    const numbered = phrase.replace(/\?/g, () => {
      values.push(bound[next++] as Value);
      return `$${values.length}`;
    });
    phrases.push(numbered);
  };
  const { standings, kind, stage, ids, search } = filter;
  if (standings) add("job.standing = ANY(?::int[])", numbers(standings.map((name) => codeOf[name])));
  if (kind !== undefined || stage !== undefined || filter.status !== undefined) await core.names.refresh();
  if (kind !== undefined || stage !== undefined) {
    add("job.stage = ANY(?::int[])", numbers(stagesNamed(core.names, filter)));
  }
  if (ids) add("job.id = ANY(?::bigint[])", numbers(ids.map((id) => core.ids.decode(id) ?? -1)));
  if (filter.status !== undefined) {
    const { phrase, bound } = statusCondition(core, filter.status);
    add(phrase, ...bound);
  }
  if (filter.inProgress !== undefined)
    add(filter.inProgress ? `job.standing = ${RUNNING}` : `job.standing <> ${RUNNING}`);
  if (filter.tenant !== undefined) add("job.tenant = ?", (await core.names.findTenant(filter.tenant)) ?? -1);
  if (filter.tag !== undefined) {
    add(
      "(job.tags IS NOT NULL AND EXISTS (SELECT 1 FROM json_array_elements_text(job.tags::json) AS tag WHERE tag = ?))",
      filter.tag,
    );
  }
  if (filter.waitsFor !== undefined) addWait(filter.waitsFor, add);
  if (filter.parent !== undefined) add(HAS_PARENT, core.ids.decode(filter.parent) ?? -1);
  if (filter.batch !== undefined) add(IS_MEMBER, core.batchIds.decode(filter.batch) ?? -1);
  if (filter.sinceAt !== undefined) add("job.created_at >= ?", filter.sinceAt);
  if (filter.untilAt !== undefined) add("job.created_at < ?", filter.untilAt);
  if (filter.retrying) add(`job.standing IN (${SCHEDULED}, ${READY}, ${SUSPECT}) AND job.attempt > 0`);
  if (filter.revivable) add(`job.standing IN (${FAILED}, ${REJECTED}, ${CANCELLED}) AND job.retried_as IS NULL`);
  if (filter.failureCode !== undefined) add("job.failure::json ->> 'code' = ?", filter.failureCode);
  if (filter.fingerprint !== undefined) {
    const causes = causesWith(filter.fingerprint);
    if (causes)
      add(
        `job.standing = ${FAILED} AND job.cause COLLATE "C" >= ? AND job.cause COLLATE "C" < ?`,
        causes.from,
        causes.to,
      );
    else add("FALSE");
  }
  if (filter.failureMessage !== undefined) add("job.failure::json ->> 'message' = ?", filter.failureMessage);
  if (search !== undefined) {
    const id = core.ids.decode(search) ?? -1;
    const words = needles(search);
    add(`(${words.map(() => SEARCH).join(" OR ")})`, ...words.flatMap((word) => [word, word, word, id]));
  }
  if (filter.beforeId !== undefined) add("job.id < ?", core.ids.decode(filter.beforeId) ?? 0);
  return { where: `WHERE ${phrases.join(" AND ")}`, values };
}

const SEARCH = `(strpos(job.payload, ?) > 0 OR strpos(coalesce(job.output, ''), ?) > 0 OR strpos(coalesce(job.failure, ''), ?) > 0
  OR job.id = ?)`;

// Arrays let both tables behind the view be read by their keys, instead of being joined whole.
const HAS_PARENT = `job.id = ANY(ARRAY(SELECT edge.job FROM millrace.wait JOIN millrace.edge ON edge.wait = wait.id
  WHERE wait.job = ?))`;
const IS_MEMBER = "job.id = ANY(ARRAY(SELECT edge.job FROM millrace.edge WHERE edge.batch = ?))";

const IS_WAITED_FOR = `EXISTS (SELECT 1 FROM millrace.wait WHERE wait.job = job.id AND wait.state = ${OPEN} AND wait.type = ?`;

function addWait(waitsFor: string, add: (phrase: string, ...bound: string[]) => void): void {
  const wait = parseWaitFilter(waitsFor);
  if (!wait) return add("FALSE");
  if (wait.type === "hold") return add(`job.standing = ${HELD}`);
  if (wait.type === "key") {
    const waits = `job.standing = ${SCHEDULED} AND job.run_at = ${NEVER} AND job.flags & ${KEYED | HOLDS_KEY | WAITING | FOLLOWS} = ${KEYED}`;
    return wait.name === undefined ? add(waits) : add(`${waits} AND job.concurrency_key = ?`, wait.name);
  }
  if (wait.type === "leader") return add(`job.standing = ${SCHEDULED} AND job.flags & ${FOLLOWS} > 0`);
  const waits = `job.standing = ${SCHEDULED} AND job.flags & ${WAITING} > 0 AND ${IS_WAITED_FOR}`;
  const { type, name } = wait;
  if (name === undefined) add(`${waits})`, type);
  else add(`${waits} AND (wait.name = ? OR starts_with(wait.name, ? || '#')))`, type, name, name);
}
