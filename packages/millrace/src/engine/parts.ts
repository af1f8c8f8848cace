import { Events } from "../events/events.ts";
import type { Kind } from "../job/kind/kind.ts";
import type { Settings } from "../job/options/settings.ts";
import { AppError } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import { OutboxRelays } from "../outbox/relays.ts";
import type { OnOutput } from "../pool/child/output.ts";
import type { Pools } from "../pool/pools.ts";
import type { Store, StoreEvents } from "../store/store.ts";
import { Intake } from "../submit/intake.ts";
import { Schedules } from "../submit/schedules.ts";
import { ProcessMetrics } from "../telemetry/figures/metrics.ts";
import { logOf } from "../telemetry/log/given-log.ts";
import type { Log } from "../telemetry/log/log.ts";
import { Upkeep } from "../upkeep/upkeep.ts";
import { Admin } from "./admin.ts";
import { Control } from "./control.ts";
import { Deployments, unservedName, withHint } from "./deployments.ts";
import { Figures } from "./figures.ts";
import { JobBatches } from "./groups/batches.ts";
import { Flows } from "./groups/flows.ts";
import { Hooks } from "./hooks/hooks.ts";
import { HookRelay } from "./hooks/relay.ts";
import { Limits } from "./limits/limits.ts";
import { JobLookup } from "./look/look.ts";
import { Messages } from "./messages.ts";
import { Operations } from "./operations/operations.ts";
import { reportOperation } from "./operations/report.ts";
import { OperationRunner } from "./operations/runner.ts";
import type { MillraceOptions } from "./options.ts";
import { JobWatch } from "./readers/job-watch.ts";
import { JobReaders } from "./readers/readers.ts";
import { StreamReads } from "./readers/stream-reads.ts";
import { reportExpired, reportFires, reportTimedOut } from "./report-events.ts";
import { SharedArtifacts } from "./shared-artifacts.ts";
import { StoreConditions } from "./store-conditions.ts";
import { Waiters } from "./wait/waiters.ts";
import { JobEndWait } from "./wait/waiting.ts";
import { wireEvents } from "./wire-events.ts";

/** The parts of an engine. */
export interface Parts {
  readonly store: Store;
  readonly settings: Settings;
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: ProcessMetrics;
  readonly events: Events;
  readonly hooks: Hooks;
  readonly relay: HookRelay;
  readonly waiters: Waiters;
  readonly intake: Intake;
  /** Missing where this process does no work. */
  readonly pools: Pools | undefined;
  readonly upkeep: Upkeep;
  readonly runner: OperationRunner;
  readonly outboxes: OutboxRelays;
  readonly schedules: Schedules;
  readonly look: JobLookup;
  readonly waiting: JobEndWait;
  readonly control: Control;
  readonly messages: Messages;
  readonly batches: JobBatches;
  readonly flows: Flows;
  readonly watch: JobWatch;
  readonly streams: StreamReads;
  readonly readers: JobReaders;
  readonly figures: Figures;
  readonly deployments: Deployments;
  readonly admin: Admin;
  readonly limits: Limits;
  readonly shared: SharedArtifacts;
  readonly conditions: StoreConditions;
}

export async function assemble(
  options: MillraceOptions,
  store: Store,
  settings: Settings,
  clock: Clock,
): Promise<Parts> {
  const log = logOf(options.log);
  const kinds = new Map((options.kinds ?? []).map((kind) => [kind.name, kind as Kind]));
  const metrics = new ProcessMetrics(clock);
  const events = new Events();
  const relay: HookRelay = new HookRelay({ store, events, clock, log, receive: (news) => hooks.receive(news) });
  const hooks = new Hooks({ events, clock, log, wants: (interest) => relay.wants(interest) });
  const waiters = new Waiters(store);
  const shared = new SharedArtifacts(store, log, { clock, keepMs: settings.sharedKeepMs });
  const works = options.work !== false && [...kinds.values()].some(({ stages }) => stages.length > 0);
  const pools = works
    ? await openPools([...kinds.values()], {
        store,
        settings,
        use: options.use ?? [],
        clock,
        log,
        metrics,
        timers: options.timers !== false,
        events,
        output: logOutput(log),
        stuck: (pool) => options.onFatal?.(new AppError("pool-stuck", `All processors of ${pool} hang.`)),
      })
    : undefined;
  wireEvents(events, { metrics, log, waiters, pools });
  const intake = new Intake({
    store,
    memoryOf: (tenant) => shared.memoryOf(tenant),
    kinds,
    maxAttemptsOf: (kind) => kind.stages[0]?.maxAttempts ?? settings.maxAttempts,
    log,
    events,
  });
  const watch = new JobWatch(store, events);
  const streams = new StreamReads(store, watch);
  const deployments = new Deployments(store);
  const runner: OperationRunner = new OperationRunner({
    store,
    kinds,
    waiters,
    events,
    metrics,
    log,
    clock,
    pools,
    ended: (operation) => reportOperation(admin, operation),
  });
  const upkeep = new Upkeep({
    store,
    operations: runner,
    unserved: async () => (await deployments.unserved()).map(withHint),
    clock,
    log,
    cleanupIntervalMs: settings.cleanupIntervalMs,
    submitted: (fires) => {
      for (const { tenant } of fires) metrics.submitted(tenant, 1);
      void reportFires(fires, { store, events });
      pools?.poke();
    },
  });
  const ownPools = () => pools?.views() ?? [];
  const figures = new Figures(store, metrics, ownPools, deployments);
  const waiting = new JobEndWait({
    store,
    waiters,
    log,
    unserved: async () => (await deployments.unserved()).map(unservedName),
    problems: () => pools?.problems() ?? [],
  });
  const operations = new Operations({ store, clock, accepted: () => runner.accepted() });
  const admin = new Admin({ store, kinds, settings, ownPools, figures, log, operations });
  const control = new Control({ store, kinds, waiters, events, metrics, log, pools });
  return {
    store,
    settings,
    kinds,
    log,
    clock,
    metrics,
    events,
    hooks,
    relay,
    waiters,
    intake,
    pools,
    upkeep,
    outboxes: new OutboxRelays(options.outboxes ?? [], {
      store,
      intake,
      kinds: [...kinds.keys()],
      leaseMs: settings.leaseMs,
      clock,
      log,
      onStored: () => pools?.poke(),
    }),
    schedules: new Schedules({
      store,
      clock,
      kind: (name) => intake.kind(name),
      most: settings.maxSchedulesPerTenant,
    }),
    look: new JobLookup(store),
    waiting,
    control,
    messages: new Messages({ store, kinds, pools }),
    batches: new JobBatches({ store, intake, control, pools }),
    flows: new Flows({ store, intake, pools }),
    watch,
    streams,
    readers: new JobReaders(store, streams, watch),
    figures,
    deployments,
    limits: new Limits(store),
    admin,
    runner,
    shared,
    conditions: new StoreConditions(log, clock),
  };
}

/** Loads the pools, which are a quarter of the engine, only in processes that work. */
async function openPools(...args: ConstructorParameters<typeof Pools>): Promise<Pools> {
  const { Pools } = await import("../pool/pools.ts");
  return new Pools(...args);
}

/** What isolated processors print, with the level and the job they printed it for. */
function logOutput(log: Log): OnOutput {
  return ({ level, ...output }) => {
    if (level === "error") log.error("processor output", output);
    else if (level === "warn") log.warn("processor output", output);
    else log.info("processor output", output);
  };
}

/** What the engine does about each event of the store. */
export function storeEvents(
  { store, pools, waiters, events, metrics, log, clock, conditions, watch }: Parts,
  fatal: (error: Error) => void,
): StoreEvents {
  return {
    wake: () => {
      pools?.poke();
      waiters.look();
      events.emit({ type: "elsewhere" });
    },
    lost: (leases) => {
      for (const { jobId, token, reason } of leases) {
        pools?.lose(jobId, token, reason);
        waiters.settled(jobId);
      }
      void reportTimedOut(leases, { store, events, clock });
    },
    expired: (jobs) => {
      void reportExpired(jobs, { store, events, log, clock });
      metrics.expired(jobs.length, jobs.filter(({ standing }) => standing === "failed").length);
      pools?.poke();
      waiters.look();
    },
    streamed: (jobIds) => watch.look(jobIds),
    conditions: (now) => conditions.changed(now),
    trouble: (message) => log.error("store upkeep failed", { error: message }),
    fatal,
  };
}
