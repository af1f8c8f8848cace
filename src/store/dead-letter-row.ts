import type { DeadLetterGroup } from "./store.ts";

export const MOST_GROUPS = 100;

export interface GroupRow {
  stage: number;
  code: string | null;
  message: string | null;
  count: number;
  firstAt: number;
  lastAt: number;
  /** The newest of them. */
  sample: number;
}

interface GroupFacts {
  readonly names: { stage(id: number): { readonly kindName: string; readonly name: string } };
  readonly ids: { encode(key: number): string };
}

export function groupOf({ names, ids }: GroupFacts, row: GroupRow): DeadLetterGroup {
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
