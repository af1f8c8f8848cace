import { findChromium, fontConfigWithSystem, preferChromium } from "millrace/chromium";
import type { Setup } from "millrace/workload";
import { fetchPolicy } from "./fetch/policy.ts";
import { printFonts } from "./http/print-fonts.ts";
import type { SiteRouteOptions } from "./http/routes.ts";
import type { ProviderSettings } from "./models/provider.ts";
import { Renderer } from "./render/renderer.ts";
import type { SiteSettingValues } from "./setting-table.ts";
import { SITE_DEFAULTS, type SiteSettings } from "./settings.ts";

export function siteSettings({ settings: config, engineSettings }: Setup<SiteSettingValues>): SiteSettings {
  return {
    ...SITE_DEFAULTS,
    policy: fetchPolicy({ ports: config.sitePorts, allow: config.siteAllow }),
    pageGapMs: config.sitePageGapMs,
    providers: providersOf(config),
    models: config.siteModels,
    modelTimeoutMs: config.modelTimeoutMs,
    stuckAfterMs: engineSettings.stuckAfterMs,
    retryBaseMs: engineSettings.retryBaseMs,
    budgetCalls: config.siteBudgetCalls,
    retentionMs: config.siteRetentionMs,
  };
}

/** The providers with models to ask. The keys of other providers are not read. */
function providersOf(config: SiteSettingValues): ProviderSettings[] {
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
    { name: "google", type: "google", apiKey: config.googleApiKey, baseUrl: config.googleBaseUrl, ...limits },
    {
      name: "perplexity",
      type: "perplexity",
      apiKey: config.perplexityApiKey,
      baseUrl: config.perplexityBaseUrl,
      ...limits,
    },
    { name: "server", type: "compatible", apiKey: config.modelServerApiKey, baseUrl: config.modelServerUrl, ...limits },
  ];
  return all.filter(({ name }) => config.siteModels.some((model) => model.startsWith(`${name}/`)));
}

/** For pages that are empty without JavaScript; only where the operator wants it. */
export function siteRenderer(setup: Setup<SiteSettingValues>): Renderer | undefined {
  if (!setup.settings.siteRender) return undefined;
  preferChromium(setup.engineSettings.chromiumPath);
  return new Renderer({ findBrowser: findChromium, limitMs: RENDER_MS });
}

const RENDER_MS = 20_000;

export function siteRouteOptions(setup: Setup<SiteSettingValues>): SiteRouteOptions {
  preferChromium(setup.engineSettings.chromiumPath);
  const printing = {
    findBrowser: findChromium,
    fontConfig: (cache: string) => fontConfigWithSystem(cache, printFonts()),
    limitMs: setup.settings.pdfTimeoutMs,
  };
  return { settings: siteSettings(setup), printing };
}
