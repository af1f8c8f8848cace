// Flows: jobs of one submission that wait for others of it. A job can only name jobs that were added before it, so a flow has
// no cycles.

import { AppError } from "../../lib/app-error.ts";
import type { Pools } from "../../pool/pools.ts";
import type { Store } from "../../store/store.ts";
import type { FlowPlace } from "../../store/verbs/batches.ts";
import type { FlowRequest } from "../../submit/flow-request.ts";
import type { Intake, JobRequest, SubmitRequests } from "../../submit/intake.ts";

const MAX_NAME_CHARS = 100;
const MOST_JOBS = 1_000;

export class Flows {
  readonly #options: { store: Store; intake: Intake; pools: Pools | undefined };

  constructor(options: { store: Store; intake: Intake; pools: Pools | undefined }) {
    this.#options = options;
  }

  /** Returns the ids of the jobs, in the order of the requests. */
  async submit({ places, ...asked }: FlowRequest): Promise<{ jobIds: string[]; replayed: boolean }> {
    const { store, intake, pools } = this.#options;
    checkPlaces(places, asked);
    const submission = await intake.prepare(asked);
    const answer = intake.throwIfRefused(submission, await store.submitFlow({ ...submission, places }));
    pools?.poke();
    return { jobIds: answer.jobIds, replayed: answer.type === "replayed" };
  }
}

function checkPlaces(places: readonly FlowPlace[], { requests }: SubmitRequests): void {
  if (places.length === 0 || places.length > MOST_JOBS) {
    throw new AppError("invalid-request", `A flow has 1 to ${MOST_JOBS} jobs.`);
  }
  const names = new Set<string>();
  for (const [i, { name, after }] of places.entries()) {
    if (typeof name !== "string" || name === "" || name.length > MAX_NAME_CHARS)
      throw new AppError("invalid-request", `The name of a job in a flow has 1 to ${MAX_NAME_CHARS} characters.`);
    if (names.has(name)) throw new AppError("invalid-request", `Two jobs of the flow have the name "${name}".`);
    names.add(name);
    if (after.some((index) => !Number.isInteger(index) || index < 0 || index >= i))
      throw new AppError("invalid-request", `The job "${name}" must name jobs that were added before it in "after".`);
    const options: JobRequest["options"] = requests[i]?.options ?? {};
    if (after.length > 0 && (options.runAt !== undefined || options.delayMs !== undefined))
      throw new AppError("invalid-request", `The job "${name}" has "after", so it cannot have runAt or delayMs.`);
  }
}
