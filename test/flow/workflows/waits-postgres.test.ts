// runtimes: bun

import { postgres } from "../../../packages/millrace/src/index.ts";
import { migratedDatabase, removeDatabasesAfterwards } from "../../support/postgres.ts";
import { type WithEngine, withEngineOn } from "../support/engine.ts";
import { describeMessages } from "../support/messages-suite.ts";
import { describeWakes } from "../support/wakes-suite.ts";
import { describeWorkflows } from "../support/workflow-suite.ts";

removeDatabasesAfterwards();

const withDatabase: WithEngine = async (options, body) => {
  const url = await migratedDatabase();
  return withEngineOn(() => postgres(url), options, body);
};

describeWorkflows("PostgreSQL", withDatabase);
describeWakes("PostgreSQL", withDatabase);
describeMessages("PostgreSQL", withDatabase);
