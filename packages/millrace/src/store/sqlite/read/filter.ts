import { causesWith } from "../../../job/report/cause.ts";
import {
  CANCELLED,
  codeOf,
  FAILED,
  FOLLOWS,
  HAS_LARGE_PAYLOAD,
  HAS_LARGE_RESULT,
  HELD,
  READY,
  REJECTED,
  RUNNING,
  SCHEDULED,
  SUSPECT,
} from "../../codes.ts";
import { HOLDS_KEY, KEYED } from "../../keys/codes.ts";
import { stagesNamed } from "../../plans/filtered-stages.ts";
import { needles } from "../../search.ts";
import type { JobFilter } from "../../verbs/job-filter.ts";
import { NEVER, OPEN, WAITING } from "../../waits/codes.ts";
import { parseWaitFilter } from "../../waits/filter.ts";
import type { ReadView } from "../core.ts";
import { statusCondition } from "./status-filter.ts";

/** A large payload or result is kept beside the row, and only looked into where the row says there is one. */
const SEARCH = `(instr(payload, ?) > 0 OR instr(output, ?) > 0 OR instr(failure, ?) > 0 OR id = ?
  OR (flags & ${HAS_LARGE_PAYLOAD | HAS_LARGE_RESULT} AND EXISTS
    (SELECT 1 FROM body WHERE body.id IN (job.id * 2, job.id * 2 + 1) AND instr(body.value, ?) > 0)))`;

/** The conditions are whole phrases of our own; every value is bound. */
export function conditions(core: ReadView, filter: JobFilter): { where: string; values: (string | number)[] } {
  const phrases: string[] = ["TRUE"];
  const values: (string | number)[] = [];
  const add = (phrase: string, ...bound: (string | number)[]) => {
    phrases.push(phrase);
    values.push(...bound);
  };
  const { standings, kind, stage, ids, search } = filter;
  if (standings)
    add("standing IN (SELECT value FROM json_each(?))", JSON.stringify(standings.map((name) => codeOf[name])));
  if (kind !== undefined || stage !== undefined) {
    add("stage IN (SELECT value FROM json_each(?))", JSON.stringify(stagesNamed(core.names, filter)));
  }
  if (ids) add("id IN (SELECT value FROM json_each(?))", JSON.stringify(ids.map((id) => core.ids.decode(id) ?? -1)));
  if (filter.status !== undefined) {
    const { phrase, bound } = statusCondition(core, filter.status);
    add(phrase, ...bound);
  }
  if (filter.inProgress !== undefined) add(filter.inProgress ? `standing = ${RUNNING}` : `standing <> ${RUNNING}`);
  if (filter.tenant !== undefined) add("tenant = ?", core.names.findTenant(filter.tenant) ?? -1);
  if (filter.tag !== undefined)
    add("tags IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)", filter.tag);
  if (filter.waitsFor !== undefined) addWait(filter.waitsFor, add);
  if (filter.parent !== undefined) add(HAS_PARENT, core.ids.decode(filter.parent) ?? -1);
  if (filter.batch !== undefined) add(IS_MEMBER, core.batchIds.decode(filter.batch) ?? -1);
  if (filter.sinceAt !== undefined) add("created_at >= ?", filter.sinceAt);
  if (filter.untilAt !== undefined) add("created_at < ?", filter.untilAt);
  if (filter.retrying) add(`standing IN (${SCHEDULED}, ${READY}, ${SUSPECT}) AND attempt > 0`);
  if (filter.revivable) add(`standing IN (${FAILED}, ${REJECTED}, ${CANCELLED}) AND retried_as IS NULL`);
  if (filter.failureCode !== undefined) add("failure ->> '$.code' = ?", filter.failureCode);
  if (filter.fingerprint !== undefined) {
    const causes = causesWith(filter.fingerprint);
    if (causes) add(`standing = ${FAILED} AND cause >= ? AND cause < ?`, causes.from, causes.to);
    else add("FALSE");
  }
  if (filter.failureMessage !== undefined) add("failure ->> '$.message' = ?", filter.failureMessage);
  if (search !== undefined) {
    const id = core.ids.decode(search) ?? -1;
    const words = needles(search);
    add(`(${words.map(() => SEARCH).join(" OR ")})`, ...words.flatMap((word) => [word, word, word, id, word]));
  }
  if (filter.beforeId !== undefined) add("id < ?", core.ids.decode(filter.beforeId) ?? 0);
  return { where: `WHERE ${phrases.join(" AND ")}`, values };
}

/** Uses the index of a job's waits, then the index of a wait's edges. */
const HAS_PARENT = "id IN (SELECT edge.job FROM wait JOIN edge ON edge.wait = wait.id WHERE wait.job = ?)";
const IS_MEMBER = "id IN (SELECT edge.job FROM edge WHERE edge.batch = ?)";

const IS_WAITED_FOR = `EXISTS (SELECT 1 FROM wait WHERE wait.job = job.id AND wait.state = ${OPEN} AND wait.type = ?`;

function addWait(waitsFor: string, add: (phrase: string, ...bound: string[]) => void): void {
  const wait = parseWaitFilter(waitsFor);
  if (!wait) return add("FALSE");
  if (wait.type === "hold") return add(`standing = ${HELD}`);
  if (wait.type === "key") {
    const waits = `standing = ${SCHEDULED} AND run_at = ${NEVER} AND flags & ${KEYED | HOLDS_KEY | WAITING | FOLLOWS} = ${KEYED}`;
    return wait.name === undefined ? add(waits) : add(`${waits} AND concurrency_key = ?`, wait.name);
  }
  if (wait.type === "leader") return add(`standing = ${SCHEDULED} AND flags & ${FOLLOWS}`);
  const waits = `standing = ${SCHEDULED} AND flags & ${WAITING} AND ${IS_WAITED_FOR}`;
  const { type, name } = wait;
  if (name === undefined) add(`${waits})`, type);
  else add(`${waits} AND (wait.name = ? OR substr(wait.name, 1, length(?) + 1) = ? || '#'))`, type, name, name, name);
}
