// runtimes: bun or node

import { migratedDatabase, removeDatabasesAfterwards } from "../../../test/support/postgres.ts";
import { postgres } from "../../millrace/src/index.ts";
import { describeOnce } from "./support/once.ts";

removeDatabasesAfterwards();

describeOnce("PostgreSQL", async () => postgres(await migratedDatabase()));
