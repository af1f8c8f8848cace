import { removeDatabasesAfterwards } from "../../../test/support/postgres.ts";
import { describeModel } from "../contract/model-run.ts";
import { openTemporaryPostgres } from "./temporary.ts";

removeDatabasesAfterwards();
describeModel("postgres", openTemporaryPostgres);
