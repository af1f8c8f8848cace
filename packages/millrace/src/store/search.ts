import type { JobFilter } from "./verbs/job-filter.ts";

/** Looks into what jobs contain, which no index helps with: it reads every job that the rest of the filter leaves. */
export function isSearch({ search, tag, failureCode, failureMessage }: JobFilter): boolean {
  return [search, tag, failureCode, failureMessage].some((value) => value !== undefined);
}

/** The filter asks for dead letters and no other standing. */
export function isOnlyDeadLetters({ standings }: JobFilter): boolean {
  return standings?.length === 1 && standings[0] === "failed";
}

/**
 * What to look for in text that is JSON: the words as they are, which finds a piece of JSON, and as JSON writes them, which
 * finds `The text "fail" fails` in a message copied from a list.
 */
export function needles(search: string): string[] {
  const written = JSON.stringify(search).slice(1, -1);
  return written === search ? [search] : [search, written];
}
