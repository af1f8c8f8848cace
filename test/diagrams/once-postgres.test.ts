import { postgres } from "../../src/index.ts";
import { freshDatabase, removeDatabasesAfterwards } from "../support/postgres.ts";
import { describeOnce } from "./support/once.ts";

removeDatabasesAfterwards();

describeOnce("PostgreSQL", async () => postgres(await freshDatabase()));
