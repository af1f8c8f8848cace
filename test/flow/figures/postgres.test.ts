// runtimes: bun

import { openTemporaryPostgres } from "../../../packages/millrace/src/store/postgres/temporary.ts";
import { removeDatabasesAfterwards } from "../../support/postgres.ts";
import { describeFigures } from "../support/figures-suite.ts";

removeDatabasesAfterwards();
describeFigures("postgres", openTemporaryPostgres);
