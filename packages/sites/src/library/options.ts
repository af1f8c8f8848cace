// From the options of `analyse` to what the stages take.

import { FetchFault } from "../fetch/fault.ts";
import { fetchPolicy } from "../fetch/policy.ts";
import { checkTarget } from "../fetch/target.ts";
import { type ProviderSettings, parseRef } from "../models/provider.ts";
import { siteUrl } from "../payload.ts";
import { SITE_DEFAULTS, type SiteSettings } from "../settings.ts";
import { AnalyseError } from "./error.ts";
import type { AnalyseOptions, ProviderOptions, Providers } from "./types.ts";

const REQUESTS_PER_MINUTE = 60;
const TYPES = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  perplexity: "perplexity",
  server: "compatible",
} as const;

const KNOWN = {
  brand: true,
  competitors: true,
  language: true,
  prompts: true,
  promptCount: true,
  maxPages: true,
  samples: true,
  locales: true,
  personas: true,
  onDoubt: true,
  webSearch: true,
  judge: true,
  ownSite: true,
  modelOptions: true,
  budget: true,
  models: true,
  providers: true,
  modelTimeoutMs: true,
  pageGapMs: true,
  allow: true,
  ports: true,
  render: true,
  signal: true,
  onProgress: true,
} satisfies Record<keyof AnalyseOptions, true>;

export function settingsOf(options: AnalyseOptions): SiteSettings {
  const unknown = Object.keys(options).find((name) => !(name in KNOWN));
  if (unknown !== undefined) {
    const known = Object.keys(KNOWN).join(", ");
    throw new AnalyseError("invalid-request", `Unknown option "${unknown}".`, { hint: `Known options: ${known}.` });
  }
  const { judge, providers = {}, allow, ports, modelTimeoutMs, pageGapMs } = options;
  const models = [...new Set([...(options.models ?? []), ...(judge === undefined ? [] : [judge])])];
  return {
    ...SITE_DEFAULTS,
    policy: fetchPolicy({ ...(allow && { allow }), ...(ports && { ports }) }),
    models,
    providers: providersOf(models, providers),
    ...(modelTimeoutMs !== undefined && { modelTimeoutMs }),
    ...(pageGapMs !== undefined && { pageGapMs }),
  };
}

/** Those that a model needs. */
function providersOf(models: readonly string[], given: Providers): ProviderSettings[] {
  const names = [...new Set(models.map((model) => parseRef(model).provider))];
  return names.map((name) => {
    const provider = (given as Record<string, ProviderOptions | undefined>)[name];
    const type = (TYPES as Record<string, ProviderSettings["type"] | undefined>)[name];
    const model = models.find((each) => parseRef(each).provider === name);
    if (type === undefined) {
      const known = Object.keys(TYPES).join(", ");
      throw new AnalyseError("invalid-request", `"${model}" names no known provider. Known providers: ${known}.`, {
        hint: "Write a model as provider/model, such as openai/gpt-5-mini.",
      });
    }
    if (provider === undefined) {
      throw new AnalyseError("invalid-request", `There is no provider for the model "${model}".`, {
        hint: `Pass providers: { ${name}: { apiKey } }.`,
      });
    }
    const { requestsPerMinute = REQUESTS_PER_MINUTE, tokensPerMinute = 0, apiKey, baseUrl } = provider;
    return { name, type, apiKey, baseUrl, requestsPerMinute, tokensPerMinute };
  });
}

/** Before an engine is opened for it. The same check is made again at every request and redirect. */
export function checkUrl(url: unknown, { policy }: SiteSettings): void {
  if (typeof url !== "string") throw new AnalyseError("invalid-request", "analyse() needs a URL, such as example.com.");
  try {
    checkTarget(siteUrl(url), policy);
  } catch (error) {
    if (!(error instanceof FetchFault)) throw error;
    const isBlocked = error.code === "blocked-address";
    throw new AnalyseError(isBlocked ? "blocked-address" : "invalid-request", error.message, {
      cause: error,
      ...(isBlocked && { hint: 'Pass allow: ["127.0.0.1:8080"] for your own site, or ports for another port.' }),
    });
  }
}
