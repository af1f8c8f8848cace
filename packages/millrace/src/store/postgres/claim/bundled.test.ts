// runtimes: node
// time-limit: 600 s

import { removeDatabasesAfterwards } from "../../../../../../test/support/postgres.ts";
import { describeModel } from "../../contract/model/run.ts";
import { describeStore } from "../../contract-suite.ts";
import { openTemporaryBundles } from "../temporary.ts";

removeDatabasesAfterwards();
// Whatever the contract promises holds for jobs in a bundle as well; and on this runtime too.
describeStore("postgres (bundled)", openTemporaryBundles);
describeModel("postgres (bundled)", openTemporaryBundles, 25);
