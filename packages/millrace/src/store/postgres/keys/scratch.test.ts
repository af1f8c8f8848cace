import { describe } from "node:test";
import { removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { describeConcurrencyKeys } from "../../contract/keys/keys.ts";
import { describeTotals } from "../../contract/keys/totals.ts";
import { openTemporaryBundles, openTemporaryPostgres } from "../temporary.ts";

removeDatabasesAfterwards();
describe("pg", () => {
  describeConcurrencyKeys(openTemporaryPostgres);
  describeTotals(openTemporaryPostgres);
});
describe("bundled", () => {
  describeConcurrencyKeys(openTemporaryBundles);
  describeTotals(openTemporaryBundles);
});
