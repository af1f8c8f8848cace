// runtimes: bun
// time-limit: 600 s

import { removeDatabasesAfterwards } from "../../../../../test/support/postgres.ts";
import { describeStore } from "../contract-suite.ts";
import { openTemporaryPostgres } from "./temporary.ts";

removeDatabasesAfterwards();
describeStore("postgres", openTemporaryPostgres);
