// runtimes: bun or node

import { openTemporarySqlite } from "../../../packages/millrace/src/store/sqlite/temporary.ts";
import { describeFigures } from "../support/figures-suite.ts";

describeFigures("sqlite", openTemporarySqlite);
