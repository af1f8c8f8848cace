// A website through three stages, each with a pool of its own: read it, form prompts, ask models (or answer from its own
// text). Built on the public API, as a pipeline of your own would be.

import { type Context, defineKind } from "millrace";
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
  const { settings, onProgress } = dependencies;
  return defineKind({
    name: SITE_KIND,
    payload: sitePayload(settings),
    examples: [{ url: "example.com" }, { url: "example.com", maxPages: 3, models: [] }],
    uniqueKey: ({ url }) => siteKey(url),
    retention: { finishedMs: settings.retentionMs, deadLetterMs: settings.retentionMs },
  })
    .stage("website-analysis", {
      timeoutMs: settings.stuckAfterMs,
      run: async (ctx) => (await stages.read()).readSite(heard(ctx, onProgress), dependencies),
    })
    .stage("prompt-forming", {
      timeoutMs: settings.stuckAfterMs,
      run: async (ctx, site) => (await stages.form()).formSitePrompts(heard(ctx, onProgress), site, dependencies),
    })
    .stage("model-analysis", {
      timeoutMs: askingTimeoutMs(settings),
      run: async (ctx, asked) => (await stages.ask()).askModels(heard(ctx, onProgress), asked, dependencies),
    });
}

/** The same context, whose progress a listener gets too. */
function heard<Payload>(ctx: Context<Payload>, onProgress: SiteDependencies["onProgress"]): Context<Payload> {
  if (onProgress === undefined) return ctx;
  const progress = (value: number, message = "") => {
    ctx.progress(value, message);
    onProgress({ stage: ctx.stage, value, message });
  };
  return new Proxy(ctx, {
    get: (target, name) => {
      if (name === "progress") return progress;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
