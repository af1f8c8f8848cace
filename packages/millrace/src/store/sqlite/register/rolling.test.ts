// time-limit: 300 s

import { rounds } from "../../../../../../test/support/torture.ts";
import { describeRolling } from "../../contract/register/rolling.ts";
import { openTemporarySqlite } from "../temporary.ts";

describeRolling("sqlite", openTemporarySqlite, rounds("FAULT_DEPLOYS", 15, 200));
