// runtimes: bun
// time-limit: 300 s

import { test } from "node:test";
import { freshDatabase, removeDatabasesAfterwards } from "../../../../test/support/postgres.ts";
import { trackJourney } from "../support/track-journey.ts";

removeDatabasesAfterwards();

test(
  "on PostgreSQL a track keeps its trend and tells of changes outside the noise once",
  {
    timeout: 240_000,
  },
  async (t) => trackJourney(t, { DATABASE_URL: await freshDatabase() }),
);
