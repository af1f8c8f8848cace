// WHO IS TO BLAME WHEN A PROCESS DIES. Pure: both stores ask it what becomes of each job that a dead process held.
//
//   first crash  ──▶ ready: it keeps its place and runs at once, beside all others
//   second crash ──▶ suspect: it runs in groups of 1, 2, 4, … per process (pool/suspect-group.ts)
//   proof        ──▶ dead letter
//
// Most deaths are deploys, power cuts and the kernel killing the process for memory, so a death alone proves nothing. A
// death is *lone* for a job that was the only suspect in its process. Two lone deaths with no job beside both are proof.

/** A job with this many crashes is a suspect: it shares a process with few other suspects. */
export const SUSPECT_CRASHES = 2;
/** A group of suspects may be this many times larger for each crash that its members have left. */
const GROUP_GROWTH = 8;
const LARGEST_GROUP = 1_048_576;
/** The message of a dead letter names this many of the jobs that ran beside it. */
const NEIGHBOURS_NAMED = 10;

/** The ids of the jobs that ran in the same process when it died. */
export type Neighbours = readonly string[];

/** The death of one process. */
export interface Death {
  /** The process was stopping when it died. */
  readonly draining: boolean;
  /** Every job that the process held. */
  readonly held: readonly HeldJob[];
  readonly suspects: number;
}

interface HeldJob {
  readonly id: string;
  readonly crashes: number;
}

/** The earlier crashes of a job. */
export interface JobPast {
  /** The attempt stored a new step before its process died. */
  readonly savedStep: boolean;
  /** For each lone death in this stage, the jobs that ran beside the job. */
  readonly loneDeaths: readonly Neighbours[];
}

export function deathOf(held: readonly HeldJob[], { draining }: { draining: boolean }): Death {
  return { draining, held, suspects: held.filter(isSuspect).length };
}

export function isSuspect(job: { crashes: number }): boolean {
  return job.crashes >= SUSPECT_CRASHES;
}

/** The standing of a pending job once it may run. */
export function standingWhenDue(job: { crashes: number }): "ready" | "suspect" {
  return isSuspect(job) ? "suspect" : "ready";
}

/**
 * The largest group of suspects that a job may run in. It shrinks to 1 as the job nears the crashes that make a dead letter
 * without proof: a job that is not to blame then never dies of its neighbours. With 3 crashes allowed: 512, 64, 8, 1.
 */
export function largestGroup({ crashes }: { crashes: number }, { maxCrashes }: { maxCrashes: number }): number {
  const left = Math.max(0, 2 * maxCrashes - 1 - crashes);
  return Math.min(LARGEST_GROUP, GROUP_GROWTH ** left);
}

/** How many of the free processors suspects may take while other jobs wait too: half, so that neither waits for the other. */
export function suspectShare(free: number, { suspectsFirst = true }: { suspectsFirst?: boolean }): number {
  return suspectsFirst ? Math.ceil(free / 2) : Math.floor(free / 2);
}

/** The suspects that a claim asks for. */
interface WantedSuspects {
  suspects: number;
  /** The suspects that run in the process, and the last death that it has heard of. Missing: they run in child processes. */
  group?: { running: number; lastDeathAt?: number };
}

/** How many suspects a claim takes. After a death that the process has not heard of, its group must start small again. */
export function suspectsToClaim(
  { suspects, group }: WantedSuspects,
  { lastDeathAt, mostCrashes }: { lastDeathAt: number; mostCrashes: number },
  rules: { maxCrashes: number },
): number {
  if (!group) return suspects;
  if (group.lastDeathAt !== undefined && group.lastDeathAt !== lastDeathAt) return 0;
  return Math.max(0, Math.min(suspects, largestGroup({ crashes: mostCrashes }, rules) - group.running));
}

interface Bounds {
  maxCrashes: number;
}

/** What a death means for one of the jobs of the process. */
export interface CrashVerdict {
  crashes: number;
  guilty: boolean;
  /** The death was a lone one for this job: the jobs that ran beside it. */
  beside?: Neighbours;
}

export function judge(job: HeldJob, { maxCrashes }: Bounds, death: Death, past: JobPast): CrashVerdict {
  // A stop by a supervisor is not the fault of a job, and a job that gets further with every attempt ends by itself.
  if (death.draining || past.savedStep) return { crashes: job.crashes, guilty: false };
  const crashes = job.crashes + 1;
  const lone = isSuspect(job) && death.suspects === 1 ? { beside: neighboursOf(job, death) } : undefined;
  const loneDeaths = lone ? [...past.loneDeaths, lone.beside] : past.loneDeaths;
  const isProven = crashes >= maxCrashes && hasDisjointPair(loneDeaths);
  return { crashes, guilty: isProven || crashes >= 2 * maxCrashes, ...lone };
}

/** The same for a job whose own child process died: nothing else can be to blame. */
export function judgeOwnCrash(
  job: { crashes: number; loneDeaths?: readonly Neighbours[] },
  { maxCrashes }: Bounds,
): CrashVerdict {
  const crashes = job.crashes + 1;
  const lone = (job.loneDeaths?.length ?? 0) + 1;
  const isProven = crashes >= maxCrashes && lone >= Math.min(2, maxCrashes);
  return { crashes, guilty: isProven || crashes >= 2 * maxCrashes, beside: [] };
}

/** Names the neighbours, for the message of a dead letter. */
export function describeNeighbours(job: { id: string }, death: Death): string {
  const beside = neighboursOf(job, death);
  if (beside.length === 0) return "The last one ran no other job.";
  const named = beside.slice(0, NEIGHBOURS_NAMED).join(", ");
  const more = beside.length > NEIGHBOURS_NAMED ? ` and ${beside.length - NEIGHBOURS_NAMED} more` : "";
  return `The last one also ran: ${named}${more}.`;
}

function neighboursOf(job: { id: string }, { held }: Death): Neighbours {
  return held.map(({ id }) => id).filter((id) => id !== job.id);
}

function hasDisjointPair(deaths: readonly Neighbours[]): boolean {
  return deaths.some((one, i) => {
    const neighbours = new Set(one);
    return deaths.slice(i + 1).some((other) => !other.some((id) => neighbours.has(id)));
  });
}
