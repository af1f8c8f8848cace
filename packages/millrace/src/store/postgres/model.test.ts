// runtimes: bun
// time-limit: 600 s

import { removeDatabasesAfterwards } from "../../../../../test/support/postgres.ts";
import { describeFamilyModel } from "../contract/model/family-run.ts";
import { describeModel } from "../contract/model/run.ts";
import { describeWaitsModel } from "../contract/model/waits-run.ts";
import { openTemporaryPostgres } from "./temporary.ts";

removeDatabasesAfterwards();
// Fewer than of SQLite: each command is a way to another process and back.
describeModel("postgres", openTemporaryPostgres, 50);
describeWaitsModel("postgres", openTemporaryPostgres, 15);
describeFamilyModel("postgres", openTemporaryPostgres, 8);
