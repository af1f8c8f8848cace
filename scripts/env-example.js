// Writes both .env.example from the tables of settings. Node 24 or Bun: it loads TypeScript.
import { writeFileSync } from "node:fs";
import { diagrams } from "../packages/diagrams/src/workload.ts";
import { envExample } from "../packages/millrace/src/config/print.ts";
import { settingGroups } from "../packages/millrace/src/config.ts";
import { sites } from "../packages/sites/src/workload.ts";

// For a clone with all workloads, and for the published engine with its own settings.
write("../.env.example", [diagrams, sites]);
write("../packages/millrace/.env.example", []);

function write(file, workloads) {
  writeFileSync(new URL(file, import.meta.url), envExample(settingGroups(workloads)));
}
