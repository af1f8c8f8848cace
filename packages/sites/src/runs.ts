import type { Millrace } from "millrace";
import type { Report } from "./api/report.ts";
import { SITE_KIND } from "./dependencies.ts";
import { ARTIFACTS, type EarlierRun } from "./stages/earlier.ts";

/** Finished runs, for jobs that complete one. The engine comes later: it is opened with the kind that reads from here. */
export class FinishedRuns {
  #engine: Pick<Millrace, "find" | "artifact"> | undefined;

  readFrom(engine: Pick<Millrace, "find" | "artifact">): void {
    this.#engine = engine;
  }

  /** Only of the same tenant: to others a run does not exist. */
  readonly find = async (tenant: string, jobId: string): Promise<EarlierRun | undefined> => {
    const job = await this.#engine?.find(jobId);
    if (job?.tenant !== tenant || job.kind !== SITE_KIND) return undefined;
    const report = await this.#read<Report>(jobId, ARTIFACTS.json);
    const passages = await this.#read<EarlierRun["passages"]>(jobId, ARTIFACTS.passages);
    return report && passages && { report, passages };
  };

  async #read<T>(jobId: string, name: string): Promise<T | undefined> {
    const kept = await this.#engine?.artifact(jobId, name);
    return kept && (JSON.parse(new TextDecoder().decode(kept.bytes)) as T);
  }
}
