import type { ReportedFigures } from "../telemetry/figures/all-processes.ts";
import type { ProcessorView } from "./runner.ts";

/** The processors of one stage in one process. */
export interface PoolView {
  /** The name of the pool: `kind/stage`. */
  pool: string;
  /** The kind. */
  kind: string;
  /** The stage. */
  stage: string;
  /** The number of processors. */
  size: number;
  /** The state of each processor. */
  processors: ProcessorView[];
  /** @internal The figures of the whole process, for other processes. */
  told?: ReportedFigures;
}
