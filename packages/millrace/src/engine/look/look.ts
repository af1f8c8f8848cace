import type { Artifact } from "../../job/artifact.ts";
import type { Explanation } from "../../job/report/explanation.ts";
import type { JobTree } from "../../job/report/tree.ts";
import { type AttemptView, attemptViewOf, type JobView, viewOf } from "../../job/report/view.ts";
import { checkOptions, type OptionBag } from "../../lib/options/check.ts";
import { whole } from "../../lib/options/option.ts";
import type { Store } from "../../store/store.ts";
import type { LogLine, Step } from "../../store/verbs/attempts.ts";
import { type JobFilter, PAGE_OPTIONS } from "../../store/verbs/job-filter.ts";
import type { ArtifactInfo } from "../../store/verbs/jobs.ts";
import { checkFilter } from "../check-filter.ts";
import { checkJobId, checkNamed } from "../job-ids.ts";
import { explain } from "./explain.ts";
import { jobNotFound } from "./job-not-found.ts";
import { jobTree } from "./tree.ts";

const LOGS: OptionBag = {
  what: "logs",
  options: { afterId: whole(0, Number.MAX_SAFE_INTEGER), limit: PAGE_OPTIONS.limit },
};

/** Reads what is stored about jobs, one or many. */
export class JobLookup {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async find(jobId: string): Promise<JobView | undefined> {
    const [job] = await this.#store.find([checkJobId(jobId)]);
    return job && viewOf(job);
  }

  async list(filter: JobFilter): Promise<JobView[]> {
    await checkFilter(this.#store, filter);
    return (await this.#store.list(filter)).map(viewOf);
  }

  async count(filter: JobFilter): Promise<number> {
    await checkFilter(this.#store, filter);
    return this.#store.count(filter);
  }

  /** Why the job does not run; throws `job-not-found`. */
  async explain(jobId: string): Promise<Explanation> {
    const facts = await this.#store.circumstances(checkJobId(jobId));
    if (!facts) throw jobNotFound();
    return explain(facts);
  }

  /** The tree or flow that the job belongs to; throws `job-not-found`. */
  tree(jobId: string): Promise<JobTree> {
    return jobTree(this.#store, jobId);
  }

  async attempts(jobId: string): Promise<AttemptView[]> {
    return (await this.#store.attempts(checkJobId(jobId))).map(attemptViewOf);
  }

  async logs(jobId: string, options: { afterId?: number; limit?: number }): Promise<(LogLine & { id: number })[]> {
    checkOptions(LOGS, options);
    return this.#store.logs(checkJobId(jobId), { limit: 1_000, ...options });
  }

  async steps(jobId: string): Promise<Step[]> {
    return this.#store.steps(checkJobId(jobId));
  }

  async artifacts(jobId: string): Promise<ArtifactInfo[]> {
    return this.#store.artifacts(checkJobId(jobId));
  }

  async artifact(jobId: string, name: string): Promise<Artifact | undefined> {
    const found = await this.#store.artifact(checkJobId(jobId), checkNamed("an artifact", name));
    return found as Artifact | undefined;
  }
}
