// Faults of outboxes, put in one at a time: each would make two jobs of a row, or none.

import type { Mutant } from "./list.ts";

const STORE = "packages/millrace/src/store/sqlite";
const CONTRACT = `${STORE}/store.test.ts`;

export const OUTBOX_MUTANTS: readonly Mutant[] = [
  {
    bug: "a relay whose lease has ended applies its rows",
    file: `${STORE}/submit/outbox.ts`,
    from: "if (held?.token !== token || held.expires_at <= core.clock.now())",
    to: "if (held === undefined)",
    caughtBy: CONTRACT,
    only: "takes nothing from a holder whose lease has ended",
  },
  {
    bug: "the ids of rows are not stored with their jobs",
    file: `${STORE}/submit/outbox.ts`,
    from: "core.statement(ADD_APPLIED).run(name, row.id);",
    to: "",
    caughtBy: CONTRACT,
    only: "has one job for each row, however often the row comes",
  },
  {
    bug: "a row that is refused for good is dropped",
    file: "packages/millrace/src/store/decide/outbox/rows.ts",
    from: 'return { type: "dead", failure: { code, message, permanent: true } };',
    to: 'return { type: "stored" };',
    caughtBy: CONTRACT,
    only: "makes dead letters of rows that are refused for good",
  },
];
