// Which stages a filter of a list means, by the names of kinds, stages and states.

import type { StageRow } from "./catalog.ts";

interface Stages {
  allStages(): readonly StageRow[];
  stagesOf(stage: StageRow): readonly StageRow[];
}

/** The stages with this kind and this name; missing: any. */
export function stagesNamed(names: Stages, { kind, stage }: { kind?: string; stage?: string }): number[] {
  return names
    .allStages()
    .filter((row) => (kind === undefined || row.kindName === kind) && (stage === undefined || row.name === stage))
    .map(({ id }) => id);
}

/**
 * The stages whose name is this status. Where a stage is the only one of its plan, its name means that a job runs there. Where it
 * is one of several, its name also means that a job waits there after an earlier stage.
 */
export function stagesOfStatus(names: Stages, status: string): { only: number[]; amongOthers: number[] } {
  const named = names.allStages().filter(({ name }) => name === status);
  const ids = (several: boolean) =>
    named.filter((stage) => isOneOfSeveral(names, stage) === several).map(({ id }) => id);
  return { only: ids(false), amongOthers: ids(true) };
}

/** The stages of plans that have more than one. */
export function stagesAmongOthers(names: Stages): number[] {
  return names
    .allStages()
    .filter((stage) => isOneOfSeveral(names, stage))
    .map(({ id }) => id);
}

function isOneOfSeveral(names: Stages, stage: StageRow): boolean {
  return names.stagesOf(stage).length > 1;
}
