// runtimes: bun

import { openTemporaryPostgres } from "../../../packages/millrace/src/store/postgres/temporary.ts";
import { removeDatabasesAfterwards } from "../../support/postgres.ts";
import { describeExplain } from "../support/explain-suite.ts";

removeDatabasesAfterwards();
describeExplain("postgres", openTemporaryPostgres);
