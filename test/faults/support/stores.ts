// What a fault must not break on a file, it must not break on PostgreSQL: the same test runs on both.

import type { TestContext } from "node:test";
import { removeDatabasesAfterwards } from "../../support/postgres.ts";
import { Crew } from "./crew.ts";
import { PostgresCrew } from "./postgres-crew.ts";

export interface StoreUnderTest {
  /** For the names of tests. */
  readonly on: "a file" | "PostgreSQL";
  gather(t: TestContext): Promise<Crew>;
}

const STORES: readonly StoreUnderTest[] = [
  { on: "a file", gather: async (t) => new Crew(t) },
  { on: "PostgreSQL", gather: (t) => PostgresCrew.gather(t) },
];

/** To be called at the top of a file. What runs on both runtimes runs on PostgreSQL with one of them. */
export function onEachStore(define: (store: StoreUnderTest) => void): void {
  removeDatabasesAfterwards();
  const isBun = process.versions["bun"] !== undefined;
  for (const store of STORES) if (isBun || store.on === "a file") define(store);
}
