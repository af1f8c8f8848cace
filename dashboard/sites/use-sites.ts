import { useMemo } from "react";
import { useLiveQuery, useSurroundings } from "../lib/data.ts";
import type { Moves } from "../lib/live.ts";
import { type SiteSummary, type SiteView, siteCalls } from "./api.ts";

/** Reads across tenants where the session may; acts on a run of any of them. */
export function useSiteCalls() {
  const { session } = useSurroundings();
  return useMemo(() => siteCalls(session.root ? "*" : undefined), [session.root]);
}

export function useSites() {
  const calls = useSiteCalls();
  return useLiveQuery<SiteSummary[]>({
    key: ["sites"],
    load: (_client, signal) => calls.list(signal),
    concerns: ofSites,
  });
}

export function useSite(id: string, running: boolean) {
  const calls = useSiteCalls();
  return useLiveQuery<SiteView>({
    key: ["sites", id],
    load: (_client, signal) => calls.get(id, signal),
    concerns: ofSites,
    // Pages and answers come without the job moving.
    everyMs: running ? 1_000 : 15_000,
  });
}

function ofSites(moves: Moves): boolean {
  return moves === undefined || [...moves.values()].some(({ kind }) => kind === "site");
}

export const STAGES = [
  { stage: "website-analysis", name: "Website analysis", about: "reads the site" },
  { stage: "prompt-forming", name: "Prompt forming", about: "what its customers would ask" },
  { stage: "model-analysis", name: "Model analysis", about: "asks, and looks for the site in the answers" },
] as const;

const FINISHED = new Set(["completed", "failed", "cancelled"]);

export function isFinished({ status }: Pick<SiteSummary, "status">): boolean {
  return FINISHED.has(status);
}

/** As a badge shows it. */
export function asJob(site: SiteSummary) {
  const state = isFinished(site) ? site.status : site.inProgress ? "running" : "pending";
  return {
    state: state as "pending" | "running" | "completed" | "failed" | "cancelled",
    status: site.status,
    ...(site.waitsFor !== undefined && { heldFor: site.waitsFor }),
  };
}
