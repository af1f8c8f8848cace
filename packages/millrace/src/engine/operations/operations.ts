// Acts on many jobs: accepted here, and carried out by the process that does upkeep.

import type { OperationView } from "../../job/report/operation-view.ts";
import { AppError, messageOf } from "../../lib/app-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { JobFilter } from "../../store/verbs/job-filter.ts";
import type { OperationAsk } from "../../store/verbs/operations/operation-ask.ts";
import type { OperationFilter, StoredOperation } from "../../store/verbs/operations/operations.ts";
import { requestFingerprint } from "../../submit/submit.ts";
import { checkFilter } from "../check-filter.ts";
import { operationNotFound, operationView, storedRequest, targetOf } from "./requests.ts";

/** Jobs of one part, which is written in about a millisecond. */
const JOBS_A_PART = 5_000;
const LOOK_EVERY_MS = 25;
const COLLECTED_WITHIN_MS = 30_000;

export class Operations {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #accepted: () => void;

  /** @internal */
  constructor(options: { store: Store; clock: Clock; accepted: () => void }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#accepted = options.accepted;
  }

  /** How many jobs an operation would cover. */
  async preview(ask: OperationAsk): Promise<OperationView> {
    const { filter } = targetOf(ask);
    const total = ask.ids ? (await this.#fitting(ask)).length : await this.#count(filter);
    const now = this.#clock.now();
    const { action, by, tenant } = ask;
    const counts = { total, done: 0, skipped: 0, failed: 0, rate: 0, errors: [] };
    const stored = { id: "", action, request: storedRequest(ask), by, ...(tenant !== undefined && { tenant }) };
    const view = operationView({ ...stored, ...counts, state: "running", startedAt: now, updatedAt: now }, now);
    return { ...view, id: null };
  }

  /**
   * Accepts an operation: its jobs are fixed and stored when this resolves. If an equal one runs, or has the same
   * idempotency key, the answer is that one.
   */
  async start(ask: OperationAsk): Promise<{ operation: OperationView; isNew: boolean }> {
    const { action, by, tenant, perSecond, key } = ask;
    const { among } = targetOf(ask);
    const answer = await this.#store.createOperation({
      action,
      request: storedRequest(ask),
      hash: hashOf(ask),
      by,
      among,
      ...(tenant !== undefined && { tenant }),
      ...(perSecond !== undefined && { perSecond }),
      ...(key !== undefined && { key }),
    });
    if (answer === "key-conflict") {
      throw new AppError("idempotency-conflict", "The idempotency key was already used with another request.");
    }
    if ("running" in answer) return { operation: await this.#collected(answer.running), isNew: false };
    if ("replayed" in answer) return { operation: await this.#collected(answer.replayed), isNew: false };
    return { operation: await this.#collect(ask, answer.created.id), isNew: true };
  }

  async find(operationId: string): Promise<OperationView> {
    const found = await this.#store.findOperation(operationId);
    if (!found) throw operationNotFound();
    return this.#view(found);
  }

  /** Operations, newest first. */
  async list(filter: OperationFilter): Promise<OperationView[]> {
    return (await this.#store.operations(filter)).map((each) => this.#view(each));
  }

  async control(operationId: string, what: "pause" | "resume" | "stop"): Promise<OperationView> {
    const answer = await this.#store.controlOperation(operationId, what);
    if (answer === "not-found") throw operationNotFound();
    if (answer !== "done") throw new AppError("conflict", answer.conflict);
    if (what === "resume") this.#accepted();
    return this.find(operationId);
  }

  async undo(operationId: string, by: string): Promise<OperationView> {
    const answer = await this.#store.undoOperation(operationId, by);
    if (answer === "not-found") throw operationNotFound();
    if (typeof answer === "object" && "conflict" in answer) throw new AppError("conflict", answer.conflict);
    if (typeof answer !== "object" || !("created" in answer))
      throw new AppError("conflict", "The operation was already undone.");
    this.#accepted();
    return this.#view(answer.created);
  }

  #view(operation: StoredOperation): OperationView {
    return operationView(operation, this.#clock.now());
  }

  async #count(filter: JobFilter): Promise<number> {
    await checkFilter(this.#store, filter);
    return this.#store.count(filter);
  }

  async #collect(ask: OperationAsk, operationId: string): Promise<OperationView> {
    try {
      const jobIds = await this.#targets(ask);
      for (let i = 0; i < jobIds.length; i += JOBS_A_PART) {
        await this.#store.addToOperation(operationId, jobIds.slice(i, i + JOBS_A_PART));
      }
      const started = await this.#store.startOperation(operationId);
      if (!started) throw operationNotFound();
      this.#accepted();
      return this.#view(started);
    } catch (error) {
      const code = error instanceof AppError ? error.code : "internal";
      await this.#store.failOperation(operationId, { code, message: messageOf(error) });
      throw error;
    }
  }

  async #targets(ask: OperationAsk): Promise<string[]> {
    if (ask.ids) return this.#fitting(ask);
    const { filter } = targetOf(ask);
    await checkFilter(this.#store, filter);
    return this.#store.listIds(filter, Number.MAX_SAFE_INTEGER);
  }

  /** The named jobs that are in the right state. Jobs of other tenants are passed over, as if they did not exist. */
  async #fitting(ask: OperationAsk): Promise<string[]> {
    const { among } = targetOf(ask);
    const isRevived = ask.action === "revive" || ask.action === "retry";
    const jobs = await this.#store.find([...new Set(ask.ids)]);
    return jobs
      .filter(({ tenant }) => ask.tenant === undefined || ask.tenant === tenant)
      .filter(({ standing, retriedAs }) => among.includes(standing) && !(isRevived && retriedAs !== undefined))
      .map(({ id }) => id);
  }

  /** Waits for another request that is still storing the same jobs. */
  async #collected(operation: StoredOperation): Promise<OperationView> {
    let found: StoredOperation | undefined = operation;
    const until = performance.now() + COLLECTED_WITHIN_MS;
    while (found?.state === "collecting" && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      found = await this.#store.findOperation(operation.id);
    }
    return this.#view(found ?? operation);
  }
}

function hashOf({ action, filter, ids, tenant, reason, perSecond, from, priority, answer }: OperationAsk): string {
  const target = filter ?? [...new Set(ids)].sort();
  return requestFingerprint("POST /operations", { action, target, tenant, reason, perSecond, from, priority, answer });
}
