// runtimes: bun
// time-limit: 300 s

import { removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { rounds } from "../../../../../../test/support/torture.ts";
import { describeRolling } from "../../contract/register/rolling.ts";
import { openTemporaryPostgres } from "../temporary.ts";

removeDatabasesAfterwards();
describeRolling("postgres", openTemporaryPostgres, rounds("FAULT_DEPLOYS", 8, 200));
