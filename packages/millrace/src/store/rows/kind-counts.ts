import { STANDINGS, type Standing } from "../../job/job.ts";
import type { StageRow } from "../plans/catalog.ts";
import type { KindCounts } from "../verbs/processes.ts";

interface StageTally {
  kindName: string;
  paused: boolean;
  stage: StageRow;
}

/**
 * How many jobs stand where, by the names of stages: over all plans. First the stages that a submission would go through,
 * in order, then the others that still have jobs.
 */
export function kindCounts<Row extends StageTally>(
  rows: readonly Row[],
  stagesOf: (kind: string) => readonly StageRow[],
  count: (row: Row, standing: Standing) => number,
): KindCounts[] {
  const kinds = new Map<string, KindCounts>();
  for (const { kindName, paused } of rows) {
    if (kinds.has(kindName)) continue;
    const stages = stagesOf(kindName).map(({ name }, position) => ({ stage: name, position, counts: noneYet() }));
    kinds.set(kindName, { kind: kindName, paused, stages });
  }
  for (const row of rows) {
    const { stages } = kinds.get(row.kindName) as KindCounts;
    let entry = stages.find(({ stage }) => stage === row.stage.name);
    if (!entry) {
      if (STANDINGS.every((standing) => count(row, standing) === 0)) continue;
      entry = { stage: row.stage.name, position: OTHERS + stages.length, counts: noneYet() };
      stages.push(entry);
    }
    for (const standing of STANDINGS) entry.counts[standing] += count(row, standing);
  }
  return [...kinds.values()];
}

/** Positions from here on belong to stages that new jobs do not go through. */
const OTHERS = 1000;

function noneYet(): Record<Standing, number> {
  return Object.fromEntries(STANDINGS.map((standing) => [standing, 0])) as Record<Standing, number>;
}
