import { findChromium, preferChromium } from "../chromium/find.ts";
import type { Config } from "../config.ts";
import { fontConfigWithSystem } from "../workloads/diagrams/chromium/font-config.ts";
import { fetchPolicy } from "../workloads/sites/fetch/policy.ts";
import type { SiteRouteOptions } from "../workloads/sites/http/routes.ts";
import type { ProviderSettings } from "../workloads/sites/models/provider.ts";
import { SITE_DEFAULTS, type SiteSettings } from "../workloads/sites/settings.ts";

export function siteSettings(config: Config): SiteSettings {
  return {
    ...SITE_DEFAULTS,
    policy: fetchPolicy({ ports: config.sitePorts, allow: config.siteAllow }),
    pageGapMs: config.sitePageGapMs,
    providers: providersOf(config),
    models: config.siteModels,
    modelTimeoutMs: config.modelTimeoutMs,
    stuckAfterMs: config.stuckAfterMs,
    budgetCalls: config.siteBudgetCalls,
    retentionMs: config.siteRetentionMs,
  };
}

/** Those with models to ask; nobody else's key is touched. */
function providersOf(config: Config): ProviderSettings[] {
  const limits = { requestsPerMinute: config.modelRequestsPerMinute, tokensPerMinute: config.modelTokensPerMinute };
  const all: ProviderSettings[] = [
    { name: "openai", type: "openai", apiKey: config.openaiApiKey, baseUrl: config.openaiBaseUrl, ...limits },
    {
      name: "anthropic",
      type: "anthropic",
      apiKey: config.anthropicApiKey,
      baseUrl: config.anthropicBaseUrl,
      ...limits,
    },
    { name: "server", type: "compatible", apiKey: config.modelServerApiKey, baseUrl: config.modelServerUrl, ...limits },
  ];
  return all.filter(({ name }) => config.siteModels.some((model) => model.startsWith(`${name}/`)));
}

export function siteRouteOptions(config: Config): SiteRouteOptions {
  preferChromium(config.chromiumPath);
  const printing = { findBrowser: findChromium, fontConfig: fontConfigWithSystem, limitMs: config.pdfTimeoutMs };
  return { settings: siteSettings(config), printing };
}
