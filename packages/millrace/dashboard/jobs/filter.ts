// The filter as the address carries it: the same words as the API's, and `last` for "the last hour", which stays true
// when the address is opened tomorrow.

import type { JobFilter } from "../../src/client/index.ts";

export type Filter = Pick<
  JobFilter,
  "status" | "kind" | "stage" | "tenant" | "tag" | "waitsFor" | "parent" | "batch" | "since" | "until" | "q"
>;

const NAMES = [
  "status",
  "kind",
  "stage",
  "tenant",
  "tag",
  "waitsFor",
  "parent",
  "batch",
  "since",
  "until",
  "q",
] as const;

export const LAST: Readonly<Record<string, { readonly text: string; readonly ms: number }>> = {
  "15m": { text: "Last 15 minutes", ms: 15 * 60_000 },
  "1h": { text: "Last hour", ms: 3_600_000 },
  "24h": { text: "Last 24 hours", ms: 86_400_000 },
  "7d": { text: "Last 7 days", ms: 7 * 86_400_000 },
};

export function filterFrom(params: URLSearchParams, now: number): Filter {
  const filter: Record<string, string> = {};
  for (const name of NAMES) {
    const value = params.get(name)?.trim();
    if (value) filter[name] = value;
  }
  const last = LAST[params.get("last") ?? ""];
  if (last) filter["since"] = new Date(now - last.ms).toISOString();
  return filter;
}

export function isFiltered(params: URLSearchParams): boolean {
  return [...NAMES, "last"].some((name) => params.get(name));
}

/** In words, for a dialog that says what it will touch. */
export function inWords(filter: Filter): string {
  const { status, kind, stage, tenant, tag, waitsFor, parent, batch, since, until, q } = filter;
  const parts = [
    status && `status ${status}`,
    kind && `kind ${kind}`,
    waitsFor && `waiting for ${waitsFor}`,
    parent && `parent ${parent}`,
    batch && `batch ${batch}`,
    stage && `stage ${stage}`,
    tenant && `tenant ${tenant}`,
    tag && `tag ${tag}`,
    since && `since ${new Date(since).toLocaleString("en-GB")}`,
    until && `until ${new Date(until).toLocaleString("en-GB")}`,
    q && `containing “${q}”`,
  ].filter((part) => part);
  return parts.length === 0 ? "all jobs, without any filter" : parts.join(", ");
}
