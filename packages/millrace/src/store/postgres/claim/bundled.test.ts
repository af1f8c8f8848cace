// runtimes: node
// time-limit: 600 s

import { removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { isTorture } from "../../../../../../test/support/torture.ts";
import { describeModel } from "../../contract/model/run.ts";
import { describeStore, describeWork } from "../../contract-suite.ts";
import { openTemporaryBundles } from "../temporary.ts";

removeDatabasesAfterwards();
// Whatever the contract promises holds for jobs in a bundle as well; and on this runtime too. What hardly meets a claim is
// left to the long run.
const describeBundled = isTorture ? describeStore : describeWork;
describeBundled("postgres (bundled)", openTemporaryBundles);
describeModel("postgres (bundled)", openTemporaryBundles, 25);
