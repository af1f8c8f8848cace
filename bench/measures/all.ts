import type { Measure } from "../harness.ts";
import { besideHostile } from "./beside-hostile.ts";
import { capCost } from "./cap-cost.ts";
import { claimTime } from "./claim-time.ts";
import { dashboard } from "./dashboard.ts";
import { diagramService } from "./diagram-service.ts";
import { diagrams } from "./diagrams.ts";
import { disk } from "./disk.ts";
import { durability } from "./durability.ts";
import { http } from "./http.ts";
import { idleCpu } from "./idle-cpu.ts";
import { install } from "./install.ts";
import { latency } from "./latency.ts";
import { poison } from "./poison.ts";
import { postgresMeasures } from "./postgres.ts";
import { processBacklog } from "./process-backlog.ts";
import { readsBesideSearches } from "./reads-beside-searches.ts";
import { recovery } from "./recovery.ts";
import { siteHostile } from "./site-hostile.ts";
import { sitePages } from "./site-pages.ts";
import { sitePools } from "./site-pools.ts";
import { submitBulk } from "./submit-bulk.ts";
import { submitConcurrent } from "./submit-concurrent.ts";
import { submitOne } from "./submit-one.ts";
import { sustained } from "./sustained.ts";

/** What is measured together, and kept as one file of results. */
export const PARTS: Readonly<Record<string, Measure[]>> = {
  engine: [
    ...[submitOne, submitConcurrent, submitBulk, processBacklog, sustained, latency, idleCpu, durability, claimTime],
    ...[capCost, readsBesideSearches, http],
  ],
  diagrams: [diagrams, diagramService, besideHostile],
  postgres: postgresMeasures,
  recovery: [recovery, poison],
  sites: [sitePages, siteHostile, sitePools],
  dashboard: [dashboard],
  install: [install],
};

/** The disk's figure belongs beside every other. */
export const MEASURES: Measure[] = [disk, ...Object.values(PARTS).flat()];
