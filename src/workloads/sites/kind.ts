// A website through three stages, each with a pool of its own: read it, form prompts, ask models (or answer from its own
// text). Built on the public API, as a pipeline of your own would be.

import { defineKind } from "../../index.ts";
import type { ModelClient } from "./models/client.ts";
import { siteKey, sitePayload } from "./payload.ts";
import type { SiteSettings } from "./settings.ts";
import type { EarlierRun } from "./stages/earlier.ts";

export const SITE_KIND = "site";

export interface SiteDependencies {
  readonly settings: SiteSettings;
  /** Default: the `ai` SDK with the settings' providers. */
  readonly models?: ModelClient;
  /** A finished run of the same tenant, for a job that asks only for what that one missed. */
  readonly earlier?: (tenant: string, jobId: string) => Promise<EarlierRun | undefined>;
}

/** What stages need, loaded with the first job: a server that never sees a site pays nothing for them. */
const stages = {
  read: () => import("./stages/read-site.ts"),
  form: () => import("./stages/form-prompts.ts"),
  ask: () => import("./stages/ask-models.ts"),
};

export function siteKind(dependencies: SiteDependencies) {
  const { settings } = dependencies;
  return defineKind({
    name: SITE_KIND,
    payload: sitePayload(settings),
    uniqueKey: ({ url }) => siteKey(url),
    retention: { finishedMs: settings.retentionMs, deadLetterMs: settings.retentionMs },
  })
    .stage("website-analysis", {
      timeoutMs: 180_000,
      run: async (ctx) => (await stages.read()).readSite(ctx, dependencies),
    })
    .stage("prompt-forming", {
      timeoutMs: 120_000,
      run: async (ctx, site) => (await stages.form()).formSitePrompts(ctx, site, dependencies),
    })
    .stage("model-analysis", {
      // Longer than the longest call beside the turn it has: a call must not outlive its lease.
      timeoutMs: Math.max(300_000, settings.modelTimeoutMs * 3),
      run: async (ctx, asked) => (await stages.ask()).askModels(ctx, asked, dependencies),
    });
}
