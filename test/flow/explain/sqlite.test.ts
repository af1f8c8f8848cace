// runtimes: bun or node

import { openTemporarySqlite } from "../../../packages/millrace/src/store/sqlite/temporary.ts";
import { describeExplain } from "../support/explain-suite.ts";

describeExplain("sqlite", openTemporarySqlite);
