// A website through three stages, each with a pool of its own: read it, form prompts, ask models (or answer from its own
// text). Built on the public API, as a pipeline of your own would be.

import { defineKind } from "../../index.ts";
import { SITE_KIND, type SiteDependencies } from "./dependencies.ts";
import { siteKey, sitePayload } from "./payload.ts";
import { askingTimeoutMs } from "./settings.ts";

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
    examples: [{ url: "example.com" }, { url: "example.com", maxPages: 3, models: [] }],
    uniqueKey: ({ url }) => siteKey(url),
    retention: { finishedMs: settings.retentionMs, deadLetterMs: settings.retentionMs },
  })
    .stage("website-analysis", {
      timeoutMs: settings.stuckAfterMs,
      run: async (ctx) => (await stages.read()).readSite(ctx, dependencies),
    })
    .stage("prompt-forming", {
      timeoutMs: settings.stuckAfterMs,
      run: async (ctx, site) => (await stages.form()).formSitePrompts(ctx, site, dependencies),
    })
    .stage("model-analysis", {
      timeoutMs: askingTimeoutMs(settings),
      run: async (ctx, asked) => (await stages.ask()).askModels(ctx, asked, dependencies),
    });
}
