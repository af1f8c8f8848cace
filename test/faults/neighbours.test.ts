// alone
import { test } from "node:test";
import * as scenarios from "./support/scenarios.ts";
import { onEachStore } from "./support/stores.ts";

onEachStore(({ on, gather }) => {
  test(
    `on ${on} submissions one by one beside a saturating process take 50 ms at p99`,
    { timeout: 120_000 },
    async (t) => scenarios.submitsBesideAFlood(await gather(t)),
  );

  test(
    `on ${on} four processes that submit and work together complete each job once`,
    { timeout: 120_000 },
    async (t) => scenarios.workTogether(await gather(t)),
  );
});
