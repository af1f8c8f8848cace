import type { Measure } from "../harness.ts";
import { disk } from "./disk.ts";
import { postgresMeasures } from "./postgres/all.ts";
import { capCost } from "./process/cap-cost.ts";
import { claimTime } from "./process/claim-time.ts";
import { durability } from "./process/durability.ts";
import { idleCpu } from "./process/idle-cpu.ts";
import { latency } from "./process/latency.ts";
import { processBacklog } from "./process/process-backlog.ts";
import { sustained } from "./process/sustained.ts";
import { poison } from "./recovery/poison.ts";
import { recovery } from "./recovery/recovery.ts";
import { dashboard } from "./server/dashboard.ts";
import { http } from "./server/http.ts";
import { install } from "./server/install.ts";
import { readsBesideSearches } from "./server/reads-beside-searches.ts";
import { simulation } from "./simulation.ts";
import { submitBulk } from "./submit/bulk.ts";
import { submitConcurrent } from "./submit/concurrent.ts";
import { submitOne } from "./submit/one.ts";
import { workflowMeasures } from "./workflows/all.ts";
import { besideHostile } from "./workloads/beside-hostile.ts";
import { diagramCorpus } from "./workloads/diagram-corpus.ts";
import { diagramService } from "./workloads/diagram-service.ts";
import { diagrams } from "./workloads/diagrams.ts";
import { siteHostile } from "./workloads/site-hostile.ts";
import { siteMainText } from "./workloads/site-main-text.ts";
import { sitePages } from "./workloads/site-pages.ts";
import { sitePools } from "./workloads/site-pools.ts";

/** What is measured together, and kept as one file of results. */
export const PARTS: Readonly<Record<string, Measure[]>> = {
  engine: [
    ...[submitOne, submitConcurrent, submitBulk, processBacklog, sustained, latency, idleCpu, durability, claimTime],
    ...[capCost, readsBesideSearches, http],
  ],
  diagrams: [diagramCorpus, diagrams, diagramService, besideHostile],
  postgres: postgresMeasures,
  recovery: [recovery, poison],
  workflows: workflowMeasures,
  sites: [sitePages, siteMainText, siteHostile, sitePools],
  dashboard: [dashboard],
  install: [install],
  simulation: [simulation],
};

/** The disk's figure belongs beside every other. */
export const MEASURES: Measure[] = [disk, ...Object.values(PARTS).flat()];
