import { describeModel } from "./contract/model/run.ts";
import { describeWaitsModel } from "./contract/model/waits-run.ts";
import { openTemporarySqlite } from "./sqlite/temporary.ts";

describeModel("sqlite", openTemporarySqlite);
describeWaitsModel("sqlite", openTemporarySqlite, 60);
