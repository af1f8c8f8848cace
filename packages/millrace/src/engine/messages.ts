// What jobs are sent from outside while they wait: signals for one job, events for all that wait for a topic, and decisions
// on approvals.

import type { Kind } from "../job/kind/kind.ts";
import type {
  ApprovalDecision,
  ApprovalView,
  LongWaitView,
  PublishOptions,
  PublishReceipt,
  SignalJob,
  SignalOptions,
  SignalReceipt,
  SignalView,
  WaitView,
} from "../job/report/messages.ts";
import { AppError } from "../lib/app-error.ts";
import { toJsonText } from "../lib/json/json-text.ts";
import { checkOptions, type OptionBag } from "../lib/options/check.ts";
import { anything } from "../lib/options/option.ts";
import { schemaError } from "../lib/schema-error.ts";
import type { Pools } from "../pool/pools.ts";
import type { Store } from "../store/store.ts";
import type { CallerTransaction } from "../store/verbs/caller-transaction.ts";
import type { NewJob } from "../store/verbs/submission.ts";
import type { DecideAnswer, NewSignal, OpenApproval, SignalAnswer, SignalTarget } from "../store/verbs/waits.ts";
import { checkTenant, checkKey as checkUniqueKey, prepareJob } from "../submit/submit.ts";
import type { SignalCall } from "../transaction/jobs-within.ts";
import { durationMs } from "../workflow/duration.ts";
import { checkWaitName } from "../workflow/wait-names.ts";
import { checkJobId } from "./job-ids.ts";
import { jobNotFound } from "./look/job-not-found.ts";
import { newestOf } from "./look/newest.ts";

const MAX_VALUE_BYTES = 262_144;
const MAX_KEY_CHARS = 255;
const MAX_BY_CHARS = 255;
const MAX_TOPIC_CHARS = 200;
const ONE_HOUR_MS = 3_600_000;
const LONGEST_KEPT_MS = 30 * 24 * ONE_HOUR_MS;

const SIGNAL: OptionBag = { what: "signal", options: { idempotencyKey: anything(), by: anything() } };
const PUBLICATION: OptionBag = {
  what: "publish",
  options: { tenant: anything(), keepMs: anything(), idempotencyKey: anything() },
};
const DECISION: OptionBag = {
  what: "decide",
  options: { choice: anything(), by: anything(), comment: anything(), tenant: anything() },
};

export interface MessagesOptions {
  store: Store;
  kinds: ReadonlyMap<string, Kind>;
  pools: Pools | undefined;
}

export class Messages {
  readonly #options: MessagesOptions;

  constructor(options: MessagesOptions) {
    this.#options = options;
  }

  async signal(
    given: Kind | string,
    job: SignalJob,
    name: string,
    value: unknown,
    options: SignalOptions,
  ): Promise<SignalReceipt> {
    const signal = await this.#prepare("millrace.signal()", { given, job, name, value, options });
    const { store } = this.#options;
    const receipt = receiptOf(await this.#send(signal, (sent) => store.signal(sent)));
    const kind = typeof given === "string" ? given : given.name;
    this.#options.pools?.poke(this.#options.kinds.has(kind) ? kind : undefined);
    return receipt;
  }

  /**
   * Sends a signal in a transaction of the caller's. No pool is poked, because the transaction may still be rolled
   * back.
   */
  async signalWithin(tx: CallerTransaction, signal: SignalCall): Promise<SignalReceipt> {
    const { store } = this.#options;
    const prepared = await this.#prepare("within(tx).signal()", signal);
    return receiptOf(await this.#send(prepared, (sent) => store.signalWithin(tx, sent)));
  }

  async #prepare(call: string, { given, job, name, value, options }: SignalCall): Promise<NewSignal> {
    const kind = typeof given === "string" ? this.#kindNamed(given) : given;
    checkOptions(SIGNAL, options);
    checkWaitName(name, call);
    const { idempotencyKey: key, by } = options;
    checkKey(key);
    checkBy(by);
    const text = toJsonText(await checkedSignal(kind, name, value), `value of the signal "${name}"`, MAX_VALUE_BYTES);
    const target = await this.#target(kind, job);
    return { target, name, value: text, ...(by !== undefined && { by }), ...(key !== undefined && { key }) };
  }

  /** A signal to a job that continued as new goes to its last successor. */
  async #send(signal: NewSignal, send: (signal: NewSignal) => Promise<SignalAnswer>): Promise<SignalAnswer> {
    const answer = await send(signal);
    if (answer.type !== "finished") return answer;
    const jobId = await newestOf(this.#options.store, answer.jobId);
    return jobId === answer.jobId ? answer : this.#send({ ...signal, target: { jobId } }, send);
  }

  /** A kind that this process does not know has no declared signals here. */
  #kindNamed(name: string): Pick<Kind, "name"> & Partial<Kind> {
    return this.#options.kinds.get(name) ?? { name };
  }

  async #target(kind: Pick<Kind, "name"> & Partial<Kind>, job: SignalJob): Promise<SignalTarget> {
    if (typeof job === "string") return { jobId: checkJobId(job) };
    const { uniqueKey, orSubmit, tenant = "default" } = job;
    if (typeof uniqueKey !== "string" || uniqueKey === "") {
      throw new AppError("invalid-request", "A signal needs the id of a job or its { uniqueKey }.");
    }
    checkUniqueKey(uniqueKey, "unique key");
    checkTenant(tenant);
    if (orSubmit === undefined) return { kind: kind.name, tenant, uniqueKey };
    if (kind.schema === undefined) throw new AppError("kind-unknown", `No kind is named "${kind.name}".`);
    const prepared: NewJob = { ...(await prepareJob(kind as Kind, orSubmit, {})), kind: kind.name, uniqueKey };
    return { kind: kind.name, tenant, uniqueKey, orSubmit: { tenant, jobs: [prepared] } };
  }

  async publish(topic: string, fields: Record<string, unknown>, options: PublishOptions): Promise<PublishReceipt> {
    checkOptions(PUBLICATION, options);
    const { tenant = "default", keepMs = ONE_HOUR_MS, idempotencyKey: key } = options;
    checkTenant(tenant);
    if (!isStorable(topic) || topic === "" || topic.length > MAX_TOPIC_CHARS || topic.includes("#")) {
      throw new AppError("invalid-request", `A topic has 1 to ${MAX_TOPIC_CHARS} characters and no "#".`);
    }
    if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
      throw new AppError("invalid-request", "The fields of an event must be an object.");
    }
    checkKey(key);
    const kept = durationMs("keepMs", keepMs);
    if (kept > LONGEST_KEPT_MS) throw new AppError("invalid-request", "An event is kept for 30 days at most.");
    const text = toJsonText(fields, "fields of the event", MAX_VALUE_BYTES);
    const published = await this.#options.store.publish({
      tenant,
      topic,
      fields: text,
      keepMs: kept,
      ...(key !== undefined && { key }),
    });
    this.#options.pools?.poke();
    return published;
  }

  async decide(approval: string, decision: ApprovalDecision): Promise<Extract<DecideAnswer, { type: "decided" }>> {
    checkOptions(DECISION, decision);
    const { choice, by, comment, tenant } = decision;
    if (typeof by !== "string" || by === "")
      throw new AppError("invalid-request", "A decision needs `by`, the name of the person who decides.");
    checkBy(by);
    if (typeof approval !== "string") throw new AppError("approval-not-found", "Approval not found.");
    const decided = await this.#options.store.decideApproval({
      approval,
      choice: String(choice),
      by,
      ...(comment !== undefined && { comment: String(comment) }),
      ...(tenant !== undefined && { tenant }),
    });
    if (decided.type === "not-found") throw new AppError("approval-not-found", "Approval not found.");
    if (decided.type === "conflict") throw new AppError("conflict", decided.message);
    if (decided.type === "invalid") throw new AppError("invalid-request", decided.message);
    this.#options.pools?.poke();
    return decided;
  }

  async approvals(filter: {
    tenant?: string;
    jobId?: string;
    after?: string;
    limit?: number;
  }): Promise<ApprovalView[]> {
    const { tenant, jobId, after, limit = 50 } = filter;
    const found = await this.#options.store.approvals({
      limit,
      ...(tenant !== undefined && { tenant }),
      ...(jobId !== undefined && { jobId }),
      ...(after !== undefined && { afterId: after }),
    });
    return found.filter(({ isOpen }) => isOpen).map(approvalView);
  }

  async longWaits(filter: { tenant?: string } = {}): Promise<LongWaitView[]> {
    const found = await this.#options.store.longWaits(filter);
    return found.map(({ since, ...wait }) => ({ ...wait, since: new Date(since).toISOString() }));
  }

  async signals(jobId: string): Promise<SignalView[]> {
    const found = await this.#options.store.signals(checkJobId(jobId));
    return found.map(({ value, at, ...signal }) => ({
      ...signal,
      value: JSON.parse(value),
      at: new Date(at).toISOString(),
    }));
  }

  async waits(jobId: string): Promise<WaitView[]> {
    const found = await this.#options.store.waits(checkJobId(jobId));
    return found.map(({ since, until, answeredAt, value, ...wait }) => ({
      ...wait,
      since: new Date(since).toISOString(),
      ...(until !== undefined && { until: new Date(until).toISOString() }),
      ...(answeredAt !== undefined && { answeredAt: new Date(answeredAt).toISOString() }),
      ...(value !== undefined && { value: JSON.parse(value) }),
    }));
  }

  async approval(id: string): Promise<ApprovalView | undefined> {
    const found = await this.#options.store.findApproval(id);
    return found?.isOpen ? approvalView(found) : undefined;
  }
}

/** A signal that the kind declares is checked where it comes in. */
async function checkedSignal(kind: Partial<Kind>, name: string, value: unknown): Promise<unknown> {
  const schema = kind.signals?.[name];
  if (!schema) return value ?? null;
  const checked = await schema["~standard"].validate(value);
  if (!checked.issues) return checked.value;
  throw schemaError("invalid-request", `Invalid value of the signal "${name}"`, checked.issues);
}

function checkKey(key: string | undefined): void {
  if (key === undefined || (isStorable(key) && key.length > 0 && key.length <= MAX_KEY_CHARS)) return;
  throw new AppError("invalid-request", `An idempotency key has 1 to ${MAX_KEY_CHARS} characters.`);
}

function checkBy(by: string | undefined): void {
  if (by === undefined || (isStorable(by) && by.length <= MAX_BY_CHARS)) return;
  throw new AppError(
    "invalid-request",
    `The option \`by\` must be a string of up to ${MAX_BY_CHARS} characters, without NUL characters.`,
  );
}

/** PostgreSQL has no string with a NUL character, and a statement that fails aborts the transaction it is in. */
function isStorable(text: unknown): text is string {
  return typeof text === "string" && !text.includes("\0");
}

function receiptOf(answer: SignalAnswer): SignalReceipt {
  switch (answer.type) {
    case "kept":
      return { jobId: answer.jobId, submitted: answer.submitted ?? false, repeated: answer.repeated ?? false };
    case "not-found":
      throw jobNotFound();
    case "finished":
      throw new AppError("conflict", `The job is ${answer.state} and takes no signals.`, {
        details: { jobId: answer.jobId },
      });
    case "refused":
      throw new AppError(answer.code, answer.message, {
        ...(answer.retryAfterMs !== undefined && { details: { retryAfterMs: answer.retryAfterMs } }),
      });
  }
}

function approvalView({ details, since, until, isOpen: _open, ...approval }: OpenApproval): ApprovalView {
  const shown = JSON.parse(details) as Pick<ApprovalView, "title" | "choices" | "audience" | "details">;
  return {
    ...approval,
    ...shown,
    since: new Date(since).toISOString(),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
  };
}
