// Plays a load through the engine's own store under a clock that jumps from one event to the next:
//
//   arrival ──▶ submit ──▶ claim ──▶ the attempt's run time passes ──▶ settle ──▶ claim …
//
// The store decides what it decides in production: turns of tenants, limits, priorities, retries and their pauses. Only the run times
// and the failures are drawn by chance.

import { failureOf } from "../job/failure.ts";
import type { Kind } from "../job/kind/kind.ts";
import type { ClaimedJob, Lease } from "../job/lease.ts";
import type { Outcome } from "../job/lifecycle.ts";
import { ManualClock } from "../lib/clock.ts";
import { timedOut } from "../pool/outcome.ts";
import { sqlite } from "../store/sqlite/factory.ts";
import type { Store, StoreEvents } from "../store/store.ts";
import type { Submission } from "../store/verbs/submission.ts";
import { durationMs } from "../workflow/duration.ts";
import { adviceFor } from "./advice.ts";
import { Agenda } from "./agenda.ts";
import { type Arrival, arrivalsOf, keyOf, tenantOf } from "./arrivals.ts";
import { drawRunMs, seededRandom } from "./chance.ts";
import type { SimulatedLoad, SimulationPlan } from "./plan.ts";
import type { SimulationReport } from "./report.ts";
import { type PoolRules, type SimulatedWork, workOf } from "./stages.ts";
import { StageTally, TenantTally, tenantReports } from "./tally.ts";

/** Submissions that share a transaction, as they do in production. */
const SUBMISSIONS_AT_ONCE = 1_000;
const FAILURE: Outcome = { type: "failed", ...failureOf(new Error("Simulated.")) };
const COMPLETION: Outcome = { type: "completed", result: "null" };
const NO_EVENTS: StoreEvents = { wake() {}, lost() {}, fatal() {}, trouble() {}, expired() {} };

type Event =
  | { type: "arrival"; load: SimulatedLoad; jobs: number; rest: Iterator<Arrival> }
  | { type: "end"; pool: Pool; attempt: Attempt }
  /** The pause before a retry is over. */
  | { type: "due"; pool: Pool }
  /** A pace has room again, or the store has another reason to be asked. */
  | { type: "look"; pool: Pool };

interface Pool {
  readonly rules: PoolRules;
  readonly figures: StageTally;
  readonly free: number[];
  readonly running: Set<Attempt>;
  /** Something has happened since its last claim that may let it start a job. */
  isAsked: boolean;
  /** When it is to look again, as the last claim said. */
  lookAt: number | undefined;
}

interface Attempt {
  readonly lease: Lease;
  readonly tenant: string;
  readonly startedAt: number;
  readonly outcome: Outcome;
}

export class Simulation {
  readonly #plan: SimulationPlan;
  readonly #work: SimulatedWork;
  readonly #clock = new ManualClock();
  readonly #startAt = this.#clock.now();
  readonly #random: () => number;
  readonly #store: Store;
  readonly #agenda = new Agenda<Event>();
  readonly #pools: Pool[];
  readonly #tenants = new Map<string, TenantTally>();
  /** When each unfinished job became due. */
  readonly #dueSince = new Map<string, number>();
  readonly #refused: Record<string, number> = {};
  #submitted = 0;
  #completed = 0;
  #failed = 0;

  constructor(plan: SimulationPlan, kinds: readonly Kind[]) {
    this.#plan = plan;
    this.#work = workOf(plan, kinds);
    this.#random = seededRandom(plan.seed ?? 1);
    this.#pools = this.#work.pools.map((rules) => ({
      rules,
      figures: new StageTally(rules),
      free: Array.from({ length: rules.processors }, (_, slot) => slot),
      running: new Set(),
      isAsked: false,
      lookAt: undefined,
    }));
    const inline = { clock: this.#clock, random: seededRandom((plan.seed ?? 1) + 1) };
    this.#store = sqlite(":memory:", { inline })({
      // Its process never dies, so its leases never end.
      leaseMs: this.#endMs + 86_400_000,
      durability: "normal",
      limits: plan.limits ?? {},
    });
  }

  async run(signal?: AbortSignal): Promise<SimulationReport> {
    await this.#store.open(NO_EVENTS);
    try {
      await this.#store.register(this.#work.plans, { limits: this.#plan.sharedLimits ?? {} });
      for (const [tenant, limits] of Object.entries(this.#plan.tenants ?? {})) {
        await this.#store.putTenantLimits(tenant, limits);
      }
      for (const load of this.#plan.load) this.#scheduleNext(load, arrivalsOf(load, this.#endMs, this.#random));
      await this.#play(signal);
      return this.#report();
    } finally {
      await this.#store.close();
    }
  }

  get #endMs(): number {
    return durationMs("duration", this.#plan.duration);
  }

  get #nowMs(): number {
    return this.#clock.monotonic();
  }

  async #play(signal: AbortSignal | undefined): Promise<void> {
    const endMs = this.#endMs;
    while (this.#agenda.nextAt < endMs) {
      signal?.throwIfAborted();
      const at = this.#agenda.nextAt;
      this.#clock.advance(at - this.#nowMs);
      const submissions: SubmittedJob[] = [];
      while (this.#agenda.nextAt === at) {
        const event = this.#agenda.take() as Event;
        if (event.type === "arrival") this.#arrive(event, submissions);
        else if (event.type === "end") await this.#end(event.pool, event.attempt);
        else if (event.type === "due") queue(event.pool);
        else this.#look(event.pool, at);
      }
      await this.#submit(submissions);
      await this.#claim();
    }
    this.#clock.advance(endMs - this.#nowMs);
  }

  #scheduleNext(load: SimulatedLoad, rest: Iterator<Arrival>): void {
    const next = rest.next();
    if (!next.done) this.#agenda.add(next.value.at, { type: "arrival", load, jobs: next.value.jobs, rest });
  }

  #arrive({ load, jobs, rest }: Extract<Event, { type: "arrival" }>, submissions: SubmittedJob[]): void {
    for (let i = 0; i < jobs; i++) {
      submissions.push({ load, tenant: tenantOf(load, this.#random), key: keyOf(load, this.#random) });
    }
    this.#scheduleNext(load, rest);
  }

  async #submit(jobs: readonly SubmittedJob[]): Promise<void> {
    for (let from = 0; from < jobs.length; from += SUBMISSIONS_AT_ONCE) {
      const part = jobs.slice(from, from + SUBMISSIONS_AT_ONCE);
      const answers = await this.#store.submit(part.map(submissionOf));
      for (const [i, answer] of answers.entries()) {
        const { load, tenant } = part[i] as SubmittedJob;
        if (answer.type === "accepted") this.#accepted(load.kind, tenant, answer.jobIds[0] as string);
        else if (answer.type === "refused") this.#refused[answer.code] = (this.#refused[answer.code] ?? 0) + 1;
      }
    }
  }

  #accepted(kind: string, tenant: string, jobId: string): void {
    this.#submitted++;
    this.#tenant(tenant).submitted++;
    const first = this.#pools.find(({ rules }) => rules.kind === kind) as Pool;
    this.#dueSince.set(jobId, this.#nowMs);
    queue(first);
  }

  #tenant(name: string): TenantTally {
    let figures = this.#tenants.get(name);
    if (!figures) {
      figures = new TenantTally();
      this.#tenants.set(name, figures);
    }
    return figures;
  }

  #look(pool: Pool, at: number): void {
    pool.isAsked = true;
    if (pool.lookAt === at) pool.lookAt = undefined;
  }

  async #claim(): Promise<void> {
    for (const pool of this.#pools) {
      while (pool.isAsked && pool.free.length > 0) {
        const { kind, stage, timeoutMs, pace } = pool.rules;
        const slots = pool.free.slice();
        const request = { kind, stage, slots, suspects: 0, timeoutMs, ...(pace && { pace }) };
        const { jobs, nextAt } = await this.#store.claim(request);
        pool.free.splice(0, jobs.length);
        for (const job of jobs) this.#begin(pool, job);
        pool.isAsked = jobs.length === slots.length;
        if (nextAt !== undefined) this.#lookAt(pool, nextAt - this.#startAt);
      }
    }
  }

  #lookAt(pool: Pool, at: number): void {
    if (at <= this.#nowMs || (pool.lookAt !== undefined && pool.lookAt <= at)) return;
    pool.lookAt = at;
    this.#agenda.add(at, { type: "look", pool });
  }

  #begin(pool: Pool, { lease, tenant }: ClaimedJob): void {
    const now = this.#nowMs;
    const waitMs = Math.max(0, now - (this.#dueSince.get(lease.jobId) ?? now));
    pool.figures.attemptBegins(waitMs);
    this.#tenant(tenant).waits.add(waitMs);
    const { runMs, failureRate, timeoutMs } = pool.rules;
    const ms = drawRunMs(runMs, this.#random);
    const hasFailed = this.#random() < failureRate;
    const outcome = ms >= timeoutMs ? timedOut({}, timeoutMs) : hasFailed ? FAILURE : COMPLETION;
    const attempt = { lease, tenant, startedAt: now, outcome };
    pool.running.add(attempt);
    this.#agenda.add(now + Math.min(ms, timeoutMs), { type: "end", pool, attempt });
  }

  async #end(pool: Pool, attempt: Attempt): Promise<void> {
    const { lease, outcome, tenant, startedAt } = attempt;
    const settled = await this.#store.settle(lease, outcome);
    pool.running.delete(attempt);
    pool.free.push(lease.slot);
    pool.figures.attemptEnds(this.#nowMs - startedAt);
    if (outcome !== COMPLETION) pool.figures.failures++;
    if (settled.written !== "written") throw new Error(`A simulated settlement was answered "${settled.written}".`);
    // What it held may be what another pool waits for: a tenant's limit, a shared limit or room in the next queue.
    for (const each of this.#pools) each.isAsked ||= each.figures.hasQueue;
    pool.isAsked = true;
    this.#goOn(pool, lease.jobId, tenant, settled);
  }

  #goOn(
    pool: Pool,
    jobId: string,
    tenant: string,
    { standing, nextStage, runAt }: { standing: string; nextStage?: string; runAt?: number },
  ): void {
    if (standing === "completed") {
      this.#completed++;
      this.#tenant(tenant).completed++;
      this.#dueSince.delete(jobId);
    } else if (standing === "failed") {
      this.#failed++;
      this.#dueSince.delete(jobId);
    } else {
      const at = Math.max(this.#nowMs, (runAt ?? 0) - this.#startAt);
      const stage = nextStage ?? pool.rules.stage;
      const next = this.#pools.find(({ rules }) => rules.kind === pool.rules.kind && rules.stage === stage) as Pool;
      this.#dueSince.set(jobId, at);
      if (at > this.#nowMs) this.#agenda.add(at, { type: "due", pool: next });
      else queue(next);
    }
  }

  #report(): SimulationReport {
    const durationMs = this.#endMs;
    const stages = this.#pools.map(({ figures, running }) => {
      const unendedMs = [...running].reduce((sum, { startedAt }) => sum + durationMs - startedAt, 0);
      return figures.report(durationMs, unendedMs);
    });
    const report = {
      durationMs,
      submitted: this.#submitted,
      refused: this.#refused,
      completed: this.#completed,
      failed: this.#failed,
      unfinished: this.#dueSince.size,
      stages,
      tenants: tenantReports(this.#tenants),
    };
    return { ...report, advice: adviceFor(report, this.#work.pools) };
  }
}

interface SubmittedJob {
  readonly load: SimulatedLoad;
  readonly tenant: string;
  readonly key: string | undefined;
}

function queue(pool: Pool): void {
  pool.figures.jobIsDue();
  pool.isAsked = true;
}

function submissionOf({ load: { kind, priority }, tenant, key }: SubmittedJob): Submission {
  const options = { ...(priority !== undefined && { priority }), ...(key !== undefined && { concurrencyKey: key }) };
  return { tenant, jobs: [{ kind, payload: "null", ...options }] };
}
