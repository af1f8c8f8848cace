// runtimes: bun
// What waits, children and undos promise, on the file store: the seeded bugs of workflows must break one of these promises.

import { describe } from "node:test";
import { describeChildren } from "../../packages/millrace/src/store/contract/children/children.ts";
import { describeSignals } from "../../packages/millrace/src/store/contract/waits/signals.ts";
import { describeSleep } from "../../packages/millrace/src/store/contract/waits/sleep.ts";
import { describeUndo } from "../../packages/millrace/src/store/contract/waits/undo.ts";
import { openTemporarySqlite } from "../../packages/millrace/src/store/sqlite/temporary.ts";

describe("workflows keep their promises", () => {
  for (const part of [describeSleep, describeSignals, describeUndo, describeChildren]) part(openTemporarySqlite);
});
