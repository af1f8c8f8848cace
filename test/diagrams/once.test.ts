import { join } from "node:path";
import { sqlite } from "../../src/index.ts";
import { temporaryFolder } from "../support/program.ts";
import { describeOnce } from "./support/once.ts";

describeOnce("SQLite", async (t) => sqlite(join(temporaryFolder(t), "jobs.db")));
