import type { TestContext } from "node:test";
import { ALL_WORKLOADS, serving } from "../../../../test/support/cli.ts";
import { createClient } from "../../../millrace/src/client/index.ts";
import { type SiteCalls, type SiteView, sites as siteCalls } from "../../src/client.ts";
import type { FixtureSite } from "./fixture-web.ts";

/** A real server in a process of its own that may read these sites, and a client of it. */
export async function siteServer(
  t: TestContext,
  sites: readonly FixtureSite[],
  env: Readonly<Record<string, string>> = {},
  folder?: string,
) {
  const server = await serving(
    t,
    {
      ...ALL_WORKLOADS,
      SITE_ALLOW: sites.map(({ place }) => place).join(","),
      SITE_PAGE_GAP_MS: "0",
      LOG_LEVEL: "info",
      ...env,
    },
    [],
    folder,
  );
  return { ...server, client: createClient({ baseUrl: server.url }).with(siteCalls) };
}

/** Waits on a fact of a run. */
export async function untilRun<T>(
  client: { readonly sites: SiteCalls },
  jobId: string,
  fact: (view: SiteView) => T | undefined,
): Promise<T> {
  for (;;) {
    const view = await client.sites.get(jobId);
    const found = fact(view);
    if (found !== undefined && found !== false) return found;
    if (view.job.state === "failed" || view.job.state === "cancelled" || view.job.state === "completed") {
      throw new Error(`The run ended before that: ${view.status} ${view.error ?? ""}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
