import { describeModel } from "./contract/model/run.ts";
import { openTemporarySqlite } from "./sqlite/temporary.ts";

describeModel("sqlite", openTemporarySqlite);
