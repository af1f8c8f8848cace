// What keeps a job from being claimed: first whatever stops its whole stage, then its place among others.

import { ENGINE_LEVEL } from "../../job/kind/plan.ts";
import type { Reason } from "../../job/report/explanation.ts";
import { MOST_COUNTED } from "../../store/circumstances.ts";
import type { Circumstances, KindWorker } from "../../store/verbs/circumstances.ts";

/** What an operator must change before the job can run. */
export function blockers(facts: Circumstances): Reason[] {
  const { job, isPaused } = facts;
  const paused: Reason = { code: "paused", message: `Kind "${job.kind}" is paused.`, details: { kind: job.kind } };
  return [...(isPaused ? [paused] : []), ...unserved(facts)];
}

/** Why no living worker may take the job; empty if one may. */
function unserved({ job, workers, needs, pinnedTo }: Circumstances): Reason[] {
  const { kind, stage } = job;
  if (stage === "") {
    return [{ code: "no-plan", message: `Kind "${kind}" has never had a worker.`, details: { kind } }];
  }
  const serving = workers.filter((worker) => worker.serves.includes(stage));
  const own = serving.filter(({ deployment }) => pinnedTo === undefined || deployment === pinnedTo);
  if (own.some((worker) => mayRun(worker, { stage, needs }))) return [];
  const stopping = own.length > 0 && own.every(({ isDraining }) => isDraining);
  if (!stopping && needs > Math.max(ENGINE_LEVEL, ...own.map(({ level }) => level))) {
    const message = `The plan of the job needs engine level ${needs}; this version of Millrace has level ${ENGINE_LEVEL}.`;
    return [{ code: "plan-too-new", message, details: { needs, level: ENGINE_LEVEL } }];
  }
  if (pinnedTo !== undefined && own.length === 0) {
    const message = `The job is pinned to deployment "${pinnedTo}", which has no living worker.`;
    return [{ code: "pinned", message, details: { deployment: pinnedTo } }];
  }
  const only = stopping
    ? ` ${count(own.length, "worker")} that served it ${own.length > 1 ? "are" : "is"} stopping.`
    : "";
  const message = `No living worker serves stage "${stage}" of kind "${kind}".${only}`;
  return [{ code: "no-worker", message, details: { kind, stage } }];
}

export function mayRun(worker: KindWorker, { stage, needs }: { stage: string; needs: number }): boolean {
  return !worker.isDraining && worker.serves.includes(stage) && worker.level >= needs;
}

/** The reasons for which a job waits although a worker may take it. */
export function queueReasons(facts: Circumstances): Reason[] {
  const { job, needs, pinnedTo } = facts;
  const workers = facts.workers.filter(
    (worker) => mayRun(worker, { stage: job.stage, needs }) && (pinnedTo ?? worker.deployment) === worker.deployment,
  );
  if (workers.length === 0) return [];
  return [
    ...nextStageFull(facts, workers),
    ...paced(facts),
    ...tenantLimit(facts, workers),
    ...runningLimits(facts),
    ...suspect(facts),
    ...processorsBusy(facts, workers),
    ...queued(facts),
  ];
}

function nextStageFull({ nextStage }: Circumstances, workers: KindWorker[]): Reason[] {
  const queueMax = loosest(workers.map(({ limits }) => limits.queueMax));
  if (!nextStage || queueMax === 0 || nextStage.ready < queueMax) return [];
  const { stage, ready } = nextStage;
  const message = `The next stage "${stage}" is full: ${many(ready, "job")} wait there, and the limit is ${queueMax}.`;
  return [{ code: "next-stage-full", message, details: { stage, ready, queueMax } }];
}

function paced({ job, pace, at }: Circumstances): Reason[] {
  if (!pace || pace.freeAt <= at) return [];
  const { count: starts, perMs, freeAt } = pace;
  const until = new Date(freeAt).toISOString();
  const message = `Stage "${job.stage}" starts at most ${count(starts, "job")} per ${perMs} ms. The next one starts at ${until}.`;
  return [{ code: "paced", message, until, details: { count: starts, perMs } }];
}

function tenantLimit({ job, tenantRunning, ownConcurrency }: Circumstances, workers: KindWorker[]): Reason[] {
  const limit = ownConcurrency ?? loosest(workers.map(({ limits }) => limits.maxConcurrentPerTenant));
  if (limit === 0 || tenantRunning < limit) return [];
  const isOwn = ownConcurrency !== undefined;
  const running = `Tenant "${job.tenant}" runs ${count(tenantRunning, "job")}`;
  const message = isOwn ? `${running}, and its own limit is ${limit}.` : `${running}, which is its limit.`;
  return [
    { code: "tenant-limit", message, details: { running: tenantRunning, limit, ...(isOwn && { limitOf: "tenant" }) } },
  ];
}

function runningLimits({ job, limits }: Circumstances): Reason[] {
  return limits.flatMap(({ name, total, running }): Reason[] => {
    if (running < total) return [];
    const jobs = count(running, "job");
    const message =
      name === undefined
        ? `Kind "${job.kind}" runs ${jobs}, which is its limit.`
        : `The limit "${name}" is full: ${jobs} run, and the limit is ${total}.`;
    return [{ code: "concurrency", message, details: { running, total, ...(name !== undefined && { limit: name }) } }];
  });
}

function suspect({ job }: Circumstances): Reason[] {
  if (job.standing !== "suspect") return [];
  const message = `${job.crashes} processes crashed while they ran the job, so few jobs like it run at the same time.`;
  return [{ code: "suspect", message, details: { crashes: job.crashes } }];
}

function processorsBusy({ job }: Circumstances, workers: KindWorker[]): Reason[] {
  const isFree = ({ processors, running }: KindWorker) => processors === undefined || running < processors;
  if (workers.some(isFree)) return [];
  const processors = workers.reduce((sum, worker) => sum + (worker.processors ?? 0), 0);
  const message = `All processors of stage "${job.stage}" are busy (${processors} in ${many(workers.length, "process", "es")}).`;
  return [{ code: "processors-busy", message, details: { processors } }];
}

/** This is no estimate, because it is not known how long the jobs ahead take. */
function queued({ job, ahead }: Circumstances): Reason[] {
  if (ahead === 0) return [];
  const others = job.standing === "suspect" ? "" : ` of tenant "${job.tenant}"`;
  const verb = ahead === 1 ? "comes" : "come";
  return [{ code: "queued", message: `${many(ahead, "job")}${others} ${verb} first.`, details: { ahead } }];
}

/** Workers may have different limits, and a job waits only while it exceeds all of them. 0 means no limit. */
function loosest(bounds: number[]): number {
  return bounds.includes(0) ? 0 : Math.max(...bounds);
}

export function many(number: number, noun: string, plural = "s"): string {
  return number >= MOST_COUNTED ? `${MOST_COUNTED} or more ${noun}${plural}` : count(number, noun, plural);
}

function count(number: number, noun: string, plural = "s"): string {
  return `${number} ${noun}${number === 1 ? "" : plural}`;
}
