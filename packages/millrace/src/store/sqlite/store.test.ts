// runtimes: bun, node or node22

import { describeStore } from "../contract-suite.ts";
import { openTemporarySqlite } from "./temporary.ts";

describeStore("sqlite", openTemporarySqlite);
