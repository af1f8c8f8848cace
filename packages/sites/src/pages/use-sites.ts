import { type Moves, useLiveQuery } from "millrace/dashboard";
import { type SiteSummary, type SiteView, sites } from "../client.ts";

export type Cell = SiteView["cells"][number];
export type SpentView = SiteView["spent"];
export type Profile = NonNullable<SiteView["profile"]>;
export type Check = Profile["readiness"][number];

export function useSites() {
  return useLiveQuery<SiteSummary[]>({
    key: ["sites"],
    load: async (client, signal) => (await client.with(sites).sites.list({ limit: 200 }, { signal })).sites,
    concerns: ofSites,
  });
}

export function useSite(id: string, running: boolean) {
  return useLiveQuery<SiteView>({
    key: ["sites", id],
    load: (client, signal) => client.with(sites).sites.get(id, { signal }),
    concerns: ofSites,
    // Pages and answers come without the job moving.
    everyMs: running ? 1_000 : 15_000,
  });
}

function ofSites(moves: Moves): boolean {
  return moves === undefined || [...moves.values()].some(({ kind }) => kind === "site");
}

export function ofTracks(moves: Moves): boolean {
  return moves === undefined || [...moves.values()].some(({ kind }) => kind === "site-track");
}

export const STAGES = [
  { stage: "website-analysis", name: "Website analysis", about: "read the pages" },
  { stage: "prompt-forming", name: "Prompt forming", about: "generate questions of customers" },
  { stage: "model-analysis", name: "Model analysis", about: "ask models and look for the site" },
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

export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
