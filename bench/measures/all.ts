import type { Measure } from "../harness.ts";
import { besideHostile } from "./beside-hostile.ts";
import { capCost } from "./cap-cost.ts";
import { claimTime } from "./claim-time.ts";
import { disk } from "./disk.ts";
import { durability } from "./durability.ts";
import { http } from "./http.ts";
import { idleCpu } from "./idle-cpu.ts";
import { latency } from "./latency.ts";
import { processBacklog } from "./process-backlog.ts";
import { submitBulk } from "./submit-bulk.ts";
import { submitConcurrent } from "./submit-concurrent.ts";
import { submitOne } from "./submit-one.ts";
import { sustained } from "./sustained.ts";

export const MEASURES: Measure[] = [
  disk,
  submitOne,
  submitConcurrent,
  submitBulk,
  processBacklog,
  sustained,
  latency,
  idleCpu,
  durability,
  claimTime,
  capCost,
  http,
  besideHostile,
];
