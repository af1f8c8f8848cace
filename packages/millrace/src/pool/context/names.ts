import type { Kind, Stage } from "../../job/kind/kind.ts";

/** The names of a job's kind and stage. */
export interface ContextNames {
  kind: string;
  stage: string;
  /** The oldest name of a stage that was renamed: keys of steps are made from it. */
  oldestStage?: string;
  /** The names of the stage's undo handlers. */
  undo?: readonly string[];
}

export function namesOf(
  kind: Pick<Kind, "name">,
  { name, renamedFrom = [], undo }: Pick<Stage, "name" | "renamedFrom" | "undo">,
): ContextNames {
  const [oldestStage] = renamedFrom;
  return {
    kind: kind.name,
    stage: name,
    ...(oldestStage !== undefined && { oldestStage }),
    ...(undo && { undo: Object.keys(undo) }),
  };
}
