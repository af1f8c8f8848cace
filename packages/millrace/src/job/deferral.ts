// Why a job was put back until later, as it is stored with the job.

/** The reason of a deferral that names none. */
export const NO_REASON = "";

export function limiterReason(limiter: string): string {
  return `limiter "${limiter}"`;
}

/** The limiter that had no room; undefined if the processor deferred the job for another reason. */
export function limiterOf(reason: string): string | undefined {
  return /^limiter "(.*)"$/s.exec(reason)?.[1];
}
