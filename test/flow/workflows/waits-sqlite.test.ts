// runtimes: bun or node

import { withEngine } from "../support/engine.ts";
import { describeMessages } from "../support/messages-suite.ts";
import { describeWakes } from "../support/wakes-suite.ts";
import { describeWorkflows } from "../support/workflow-suite.ts";

describeWorkflows("SQLite", withEngine);
describeWakes("SQLite", withEngine);
describeMessages("SQLite", withEngine);
