import type { DeadLetterGroup } from "../verbs/jobs.ts";

export const MOST_GROUPS = 100;

export interface GroupRow {
  stage: number;
  code: string | null;
  message: string | null;
  count: number;
  firstAt: number;
  lastAt: number;
  /** The newest dead letter of the group. */
  sample: number;
}

interface GroupFacts {
  readonly names: { stage(id: number): { readonly kindName: string; readonly name: string } };
  readonly ids: { encode(key: number): string };
}

/** Rows of one stage under several plans are one group; the most frequent first. */
export function groupsOf(facts: GroupFacts, rows: readonly GroupRow[]): DeadLetterGroup[] {
  const groups = new Map<string, DeadLetterGroup>();
  for (const group of rows.map((row) => groupOf(facts, row))) {
    const name = JSON.stringify([group.kind, group.stage, group.code, group.message]);
    const known = groups.get(name);
    groups.set(name, known ? merged(known, group) : group);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || b.lastAt - a.lastAt);
}

function merged(a: DeadLetterGroup, b: DeadLetterGroup): DeadLetterGroup {
  const newest = a.lastAt >= b.lastAt ? a : b;
  return {
    ...newest,
    count: a.count + b.count,
    firstAt: Math.min(a.firstAt, b.firstAt),
  };
}

function groupOf({ names, ids }: GroupFacts, row: GroupRow): DeadLetterGroup {
  const { kindName, name } = names.stage(row.stage);
  const { code, message, count, firstAt, lastAt, sample } = row;
  return {
    kind: kindName,
    stage: name,
    code: code ?? "unknown",
    message: message ?? "",
    count,
    firstAt,
    lastAt,
    sample: ids.encode(sample),
  };
}
