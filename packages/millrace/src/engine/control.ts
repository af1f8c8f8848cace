import type { Events } from "../events/events.ts";
import type { Job } from "../job/job.ts";
import type { Kind } from "../job/kind/kind.ts";
import { SUBMIT_OPTIONS } from "../job/options/submit-options.ts";
import { AppError, messageOf } from "../lib/app-error.ts";
import { toJsonText } from "../lib/json/json-text.ts";
import { checked, checkOptions, type OptionBag } from "../lib/options/check.ts";
import { anyText, anything, ms, type OptionValues, word } from "../lib/options/option.ts";
import type { Pools } from "../pool/pools.ts";
import type { Store } from "../store/store.ts";
import type { CancelAnswer, ControlAnswer, ReviveAnswer } from "../store/verbs/jobs.ts";
import { fingerprintOf, MAX_PAYLOAD_BYTES, prepareJob } from "../submit/submit.ts";
import type { ProcessMetrics } from "../telemetry/figures/metrics.ts";
import type { Log } from "../telemetry/log/log.ts";
import { checkJobId, checkJobIds, checkNamed } from "./job-ids.ts";
import { aboutJob } from "./look/about-job.ts";
import { jobNotFound } from "./look/job-not-found.ts";
import { newestOf } from "./look/newest.ts";
import type { Waiters } from "./wait/waiters.ts";

export interface ControlOptions {
  store: Store;
  kinds: ReadonlyMap<string, Kind>;
  waiters: Waiters;
  events: Events;
  metrics: ProcessMetrics;
  log: Log;
  pools: Pools | undefined;
}

const TEN_YEARS_MS = 3_660 * 24 * 3_600_000;

const REVIVE_OPTIONS = {
  /** A new payload for the new job. Default: the payload of the old job. */
  payload: anything(),
  /** Start at the stage that failed, or at the first stage. Default: "failed-stage". */
  from: word("failed-stage", "start"),
  /** Wait this long before the new job may start, in milliseconds. Default: 0. */
  delayMs: ms(0, TEN_YEARS_MS),
} as const;

/** How to revive a failed or cancelled job. */
export interface ReviveRequest extends OptionValues<typeof REVIVE_OPTIONS> {}

const UPDATE_OPTIONS = {
  /** Another payload, if the job has never started. It must give the job the same keys. Default: the job keeps its own. */
  payload: anything(),
  /** Do not start before this time. Default: the job keeps its own. */
  runAt: SUBMIT_OPTIONS.runAt,
  /** Lower values start first, -1,000,000 to 1,000,000. Default: the job keeps its own. */
  priority: SUBMIT_OPTIONS.priority,
  /** Up to 20 strings of 1 to 64 characters, in place of all tags that the job has. Default: the job keeps its own. */
  tags: SUBMIT_OPTIONS.tags,
} as const;

/** How to change a pending job. */
export interface UpdateRequest extends OptionValues<typeof UPDATE_OPTIONS> {}

const UPDATE: OptionBag = { what: "update", options: UPDATE_OPTIONS };
const REVIVE: OptionBag = { what: "revive", options: REVIVE_OPTIONS };
const RELEASE: OptionBag = { what: "release", options: { answer: anything() } };

/** What is done to jobs and kinds from outside: cancel, release, revive, forget, pause. */
export class Control {
  readonly #options: ControlOptions;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  async cancel(jobId: string, given: string): Promise<void> {
    const { store, waiters, metrics } = this.#options;
    const reason = shortText(given);
    const [answer] = await store.cancel([checkJobId(jobId)], reason);
    const successor = await this.#successorOf(jobId, answer);
    if (successor !== undefined) return this.cancel(successor, given);
    if (isUndoing(answer)) return this.#undoing(jobId, answer);
    if (answer && typeof answer === "object" && "running" in answer) this.#cancelled(jobId, answer.running.token);
    else must(answer);
    waiters.settled(jobId);
    metrics.cancelled(1);
    await this.#tellCancelled(jobId, reason);
  }

  /** Returns false if another submission has joined the job, or if it has ended. */
  async abandon(jobId: string, given: string): Promise<boolean> {
    const { store, waiters, metrics } = this.#options;
    const reason = shortText(given);
    const [answer] = await store.cancel([checkJobId(jobId)], reason, { unlessJoined: true });
    const successor = await this.#successorOf(jobId, answer);
    if (successor !== undefined) return this.abandon(successor, given);
    if (answer === "not-found" || (typeof answer === "object" && "conflict" in answer)) return false;
    if (isUndoing(answer)) {
      this.#undoing(jobId, answer);
      return true;
    }
    if (typeof answer === "object") this.#cancelled(jobId, answer.running.token);
    waiters.settled(jobId);
    metrics.cancelled(1);
    await this.#tellCancelled(jobId, reason);
    return true;
  }

  /** Returns the ids of the jobs that were still pending or running. */
  async cancelMany(jobIds: string[], given: string): Promise<string[]> {
    const { store, waiters, metrics, log, events } = this.#options;
    const reason = shortText(given);
    const answers = await store.cancel(checkJobIds(jobIds), reason);
    const cancelled = jobIds.filter((jobId, i) => {
      const answer = answers[i];
      if (isUndoing(answer)) this.#undoing(jobId, answer);
      if (isUndoing(answer)) return true;
      const ran = typeof answer === "object" && "running" in answer;
      if (ran) this.#cancelled(jobId, answer.running.token);
      return ran || answer === "done";
    });
    waiters.look();
    metrics.cancelled(cancelled.length);
    log.info("cancelled", { jobs: cancelled.length });
    events.emit({ type: "elsewhere" });
    if (events.hasReader && cancelled.length > 0) await this.#reportCancelled(cancelled, reason);
    return cancelled;
  }

  async release(jobId: string, request: { answer?: unknown }): Promise<void> {
    checkOptions(RELEASE, request);
    const { answer } = request;
    const text = answer === undefined ? undefined : toJsonText(answer, "answer", MAX_PAYLOAD_BYTES);
    const { store, pools, events } = this.#options;
    must(await store.release(checkJobId(jobId), text));
    pools?.poke();
    if (!events.hasFeed && !events.hasReader) return;
    const [job] = await store.find([jobId]);
    if (job) events.emit({ type: "released", job });
  }

  /** Returns the job after the change. */
  async update(jobId: string, request: UpdateRequest): Promise<Job> {
    checkOptions(UPDATE, request);
    const { payload, runAt, priority, tags } = request;
    if ([payload, runAt, priority, tags].every((each) => each === undefined)) {
      throw new AppError("invalid-request", "Nothing to change.", { hint: "Pass payload, runAt, priority or tags." });
    }
    const { store, pools, events, log } = this.#options;
    const text = payload === undefined ? undefined : await this.#payloadFor(checkJobId(jobId), payload);
    const answer = await store.update(checkJobId(jobId), {
      ...(text !== undefined && { payload: text }),
      ...(runAt !== undefined && { runAt: runAt.getTime() }),
      ...(priority !== undefined && { priority }),
      ...(tags !== undefined && { tags }),
    });
    if (answer === "not-found" || "conflict" in answer) return must(answer) as never;
    pools?.poke();
    events.emit({ type: "elsewhere" });
    log.info("changed", aboutJob(answer.updated));
    return answer.updated;
  }

  /**
   * The new payload as it is stored. Everything that the kind derives from the payload, above all its keys, must stay
   * the same.
   */
  async #payloadFor(jobId: string, payload: unknown): Promise<string> {
    const { store, kinds } = this.#options;
    const [job] = await store.find([jobId]);
    if (!job) throw jobNotFound();
    const kind = kinds.get(job.kind);
    if (!kind) {
      throw new AppError(
        "kind-unknown",
        `This process does not know the kind "${job.kind}", which checks the payload.`,
      );
    }
    const { payload: text, ...keys } = await prepareJob(kind, payload, {});
    const { payload: _old, ...oldKeys } = await prepareJob(kind, JSON.parse(job.payload), {});
    if (fingerprintOf([{ ...keys, payload: "null" }]) === fingerprintOf([{ ...oldKeys, payload: "null" }])) return text;
    throw new AppError("key-changed", "The payload would change a key of the job.", {
      hint: "Cancel the job and submit another one.",
    });
  }

  /** Returns the new job, as it was accepted. */
  async revive(jobId: string, request: ReviveRequest): Promise<Job> {
    checkOptions(REVIVE, request);
    const { store, kinds, events, log } = this.#options;
    const [old] = await store.find([checkJobId(jobId)]);
    if (!old) throw jobNotFound();
    const kind = kinds.get(old.kind);
    const { payload, from = "failed-stage", delayMs } = request;
    const edited = payload !== undefined;
    const prepared = kind && (await prepareJob(kind, edited ? payload : JSON.parse(old.payload), {}));
    const accepted = acceptedJob(
      await store.revive(jobId, {
        from,
        ...(delayMs !== undefined && { delayMs }),
        ...(edited && { payload: prepared?.payload ?? toJsonText(payload, "payload", MAX_PAYLOAD_BYTES) }),
        ...(prepared?.uniqueKey !== undefined && { uniqueKey: prepared.uniqueKey }),
        ...(edited && prepared && { concurrencyKey: prepared.concurrencyKey ?? null }),
      }),
    );
    events.emit({ type: "submitted", jobs: [accepted] });
    log.info("revived", { ...aboutJob(old), revivedAs: accepted.id });
    return accepted;
  }

  async forget(jobId: string): Promise<void> {
    const [answer] = await this.#options.store.forget([checkJobId(jobId)]);
    must(answer);
    this.#options.events.emit({ type: "elsewhere" });
  }

  /** Returns the ids of the jobs that were finished. */
  async forgetMany(jobIds: string[]): Promise<string[]> {
    const answers = await this.#options.store.forget(checkJobIds(jobIds));
    this.#options.events.emit({ type: "elsewhere" });
    return jobIds.filter((_, i) => answers[i] === "done");
  }

  async setPaused(kind: string, paused: boolean): Promise<void> {
    const { store, pools, events } = this.#options;
    const answer = await store.setPaused(checkNamed("a kind", kind), paused);
    must(answer, () => new AppError("kind-unknown", `Unknown kind "${kind}".`));
    if (!paused) pools?.poke();
    events.emit({ type: "elsewhere" });
  }

  /** The job that has taken the place of one that has ended. */
  async #successorOf(jobId: string, answer: CancelAnswer | undefined): Promise<string | undefined> {
    if (typeof answer !== "object" || !("conflict" in answer)) return undefined;
    const newest = await newestOf(this.#options.store, jobId);
    return newest === jobId ? undefined : newest;
  }

  /** The job ends after its undo handlers. If it runs, its processor finishes the steps that are under way. */
  #undoing(jobId: string, { running }: UndoingAnswer): void {
    const { pools, log, events } = this.#options;
    if (running) pools?.lose(jobId, running.token, "undoing");
    else pools?.poke();
    log.info("cancelled, undoing", { jobId });
    events.emit({ type: "elsewhere" });
  }

  /** Its processor is notified at once. */
  #cancelled(jobId: string, token: number): void {
    this.#options.pools?.lose(jobId, token, "cancelled");
    this.#options.waiters.settled(jobId);
  }

  async #tellCancelled(jobId: string, reason: string): Promise<void> {
    const { store, log, events } = this.#options;
    const [job] = await store.find([jobId]);
    log.info("cancelled", job ? aboutJob(job) : { jobId });
    if (job) events.emit({ type: "cancelled", job, reason });
  }

  /** Reports cancelled jobs to hooks. They are cancelled whether or not the store can be read now. */
  async #reportCancelled(jobIds: string[], reason: string): Promise<void> {
    const { store, events, log } = this.#options;
    try {
      events.emit({ type: "cancelled-many", jobs: await store.find(jobIds), reason });
    } catch (error) {
      log.warn("hooks missed cancelled jobs", { jobs: jobIds.length, error: messageOf(error) });
    }
  }
}

/** A sentence for people, not a place to keep data. */
function shortText(text: string): string {
  return checked("reason", anyText(), text).replaceAll("\u0000", "").toWellFormed().slice(0, 500);
}

function must(answer: ControlAnswer | { running: unknown } | undefined, notFound = jobNotFound): void {
  if (answer === "not-found") throw notFound();
  if (typeof answer === "object" && "conflict" in answer) throw new AppError("conflict", answer.conflict);
}

type UndoingAnswer = Extract<CancelAnswer, { undoing: true }>;

function isUndoing(answer: CancelAnswer | undefined): answer is UndoingAnswer {
  return typeof answer === "object" && "undoing" in answer;
}

function acceptedJob(answer: ReviveAnswer): Job {
  if (answer === "not-found") throw jobNotFound();
  if ("revived" in answer) return answer.accepted;
  const { jobId } = answer;
  throw new AppError(answer.code, answer.conflict, {
    ...(jobId !== undefined && { hint: `Look at ${jobId}.`, details: { jobId } }),
  });
}
