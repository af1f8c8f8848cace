import type { PublicIds } from "../../lib/public-id.ts";

const PREFIX = "apr_";
const JOB_PREFIX_CHARS = 4;

/** The public id of an approval: the number of its wait, permuted as the numbers of jobs are. */
export function approvalId(ids: PublicIds, wait: number): string {
  return PREFIX + ids.encode(wait).slice(JOB_PREFIX_CHARS);
}

/** Undefined for a string that is not the id of an approval. */
export function waitOfApproval(ids: PublicIds, id: string): number | undefined {
  return id.startsWith(PREFIX) ? ids.decode(`job_${id.slice(PREFIX.length)}`) : undefined;
}
