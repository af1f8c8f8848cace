// runtimes: bun or node

import { join } from "node:path";
import { temporaryFolder } from "../../../test/support/program.ts";
import { sqlite } from "../../millrace/src/index.ts";
import { describeOnce } from "./support/once.ts";

describeOnce("SQLite", async (t) => sqlite(join(temporaryFolder(t), "jobs.db")));
