// Seeded bugs of children, undos and batches, which the random families of the model must catch.

import type { Mutant } from "./list.ts";

const STORE = "packages/millrace/src/store/sqlite";

const MODEL = {
  caughtBy: "packages/millrace/src/store/model.test.ts",
  only: "children, undos and a batch",
};

export const FAMILY_MUTANTS: readonly Mutant[] = [
  {
    bug: "a family's child is submitted twice",
    file: `${STORE}/children/start.ts`,
    from: "  if (known) return known;",
    to: '  if (known) core.statement("DELETE FROM wait WHERE job = ? AND name = ?").run(row.id, asked.name);',
    ...MODEL,
  },
  {
    bug: "a family's undo runs twice",
    file: `${STORE}/waits/undo.ts`,
    from: "done.name = 'undo:' || undo.name",
    to: "done.name = 'undone:' || undo.name",
    ...MODEL,
  },
  {
    bug: "a family's batch does not end when it is sealed",
    file: `${STORE}/batches/batches.ts`,
    from: `  leaveWork(core, JOIN_BATCH, batch.id);
  return "done";
}

export function cancelBatch(`,
    to: `  return "done";
}

export function cancelBatch(`,
    ...MODEL,
  },
  {
    bug: "a family's children outlive their parent",
    file: `${STORE}/children/left-work.ts`,
    from: "WHERE wait.job = ? AND wait.type = 'children' AND",
    to: "WHERE wait.job = ? AND wait.type = 'none' AND",
    ...MODEL,
  },
];
