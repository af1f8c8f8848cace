// Batches: jobs that are added in pieces, and one job that is submitted when all of them have ended.

import type { Kind } from "../../job/kind/kind.ts";
import type { SubmitOptions } from "../../job/options/submit-options.ts";
import type { BatchView } from "../../job/report/batch-view.ts";
import { AppError } from "../../lib/app-error.ts";
import { checkOptions, type OptionBag } from "../../lib/options/check.ts";
import { anything } from "../../lib/options/option.ts";
import type { Pools } from "../../pool/pools.ts";
import type { Store } from "../../store/store.ts";
import type { BatchFilter, StoredBatch } from "../../store/verbs/batches.ts";
import type { Intake, SubmitRequests } from "../../submit/intake.ts";
import { checkTenant, prepareJob } from "../../submit/submit.ts";
import type { Control } from "../control.ts";

const BATCH: OptionBag = { what: "a batch", options: { onEnd: anything(), tenant: anything() } };
/** The jobs of one commit. A larger piece is stored in several commits. */
const AT_ONCE = 1_000;
const MOST_RETRIED = 10_000;

export interface JobBatchesOptions {
  store: Store;
  intake: Intake;
  control: Control;
  pools: Pools | undefined;
}

export class JobBatches {
  readonly #options: JobBatchesOptions;

  constructor(options: JobBatchesOptions) {
    this.#options = options;
  }

  async create(options: { onEnd?: readonly [Kind, unknown, SubmitOptions?]; tenant?: string }): Promise<string> {
    checkOptions(BATCH, options);
    const { tenant = "default", onEnd } = options;
    checkTenant(tenant);
    if (onEnd === undefined) return this.#options.store.createBatch({ tenant });
    const [kind, payload, submission = {}] = onEnd;
    if (typeof kind?.name !== "string")
      throw new AppError("invalid-request", "onEnd must be an array of a kind, a payload and options.");
    return this.#options.store.createBatch({ tenant, onEnd: await prepareJob(kind, payload, submission) });
  }

  /** Returns the ids of the members, in the order of the requests. */
  async add(batchId: string, asked: SubmitRequests): Promise<string[]> {
    const { store, intake, pools } = this.#options;
    const { requests, idempotency } = asked;
    const jobIds: string[] = [];
    for (let from = 0; from < requests.length; from += AT_ONCE) {
      const part = from === 0 ? "" : `#${from}`;
      const submission = await intake.prepare({
        ...asked,
        requests: requests.slice(from, from + AT_ONCE),
        ...(idempotency && { idempotency: { ...idempotency, key: `${batchId} ${idempotency.key}${part}` } }),
      });
      const answer = await store.addToBatch(batchId, submission);
      if (answer.type === "not-found") throw batchNotFound();
      if (answer.type === "conflict") throw new AppError("conflict", answer.message);
      jobIds.push(...intake.throwIfRefused(submission, answer).jobIds);
      pools?.poke();
    }
    return jobIds;
  }

  async seal(batchId: string): Promise<void> {
    if ((await this.#options.store.sealBatch(batchId)) === "not-found") throw batchNotFound();
    this.#options.pools?.poke();
  }

  async cancel(batchId: string): Promise<void> {
    const answer = await this.#options.store.cancelBatch(batchId);
    if (answer === "not-found") throw batchNotFound();
    if (typeof answer === "object") throw new AppError("conflict", answer.conflict);
  }

  async find(batchId: string): Promise<BatchView | undefined> {
    const batch = await this.#options.store.findBatch(batchId);
    return batch && batchView(batch);
  }

  async list(filter: Partial<BatchFilter>): Promise<BatchView[]> {
    return (await this.#options.store.batches({ limit: 50, ...filter })).map(batchView);
  }

  /** Revives the members that failed. Returns how many were revived. */
  async retryFailed(batchId: string): Promise<number> {
    const { store, control } = this.#options;
    if (!(await store.findBatch(batchId))) throw batchNotFound();
    let count = 0;
    for (const jobId of await store.failedMembers(batchId, MOST_RETRIED)) {
      await control.revive(jobId, {});
      count++;
    }
    return count;
  }
}

export function batchNotFound(): AppError {
  return new AppError("batch-not-found", "Batch not found.");
}

function batchView({ counts, createdAt, sealedAt, endedAt, cancelledAt, ...batch }: StoredBatch): BatchView {
  const { total, completed, failed, cancelled } = counts;
  const at = (time: number) => new Date(time).toISOString();
  return {
    ...batch,
    state: endedAt !== undefined ? "ended" : sealedAt !== undefined ? "sealed" : "open",
    total,
    completed,
    failed,
    cancelled,
    pending: total - completed - failed - cancelled,
    createdAt: at(createdAt),
    ...(sealedAt !== undefined && { sealedAt: at(sealedAt) }),
    ...(endedAt !== undefined && { endedAt: at(endedAt) }),
    ...(cancelledAt !== undefined && { cancelledAt: at(cancelledAt) }),
  };
}
