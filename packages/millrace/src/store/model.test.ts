import { describeFamilyModel } from "./contract/model/family-run.ts";
import { describeModel } from "./contract/model/run.ts";
import { describeWaitsModel } from "./contract/model/waits-run.ts";
import { openTemporarySqlite } from "./sqlite/temporary.ts";

describeModel("sqlite", openTemporarySqlite);
describeWaitsModel("sqlite", openTemporarySqlite, 60);
describeFamilyModel("sqlite", openTemporarySqlite, 30);
