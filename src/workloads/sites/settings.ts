import type { FetchLimits } from "./fetch/fetch.ts";
import type { FetchPolicy } from "./fetch/target.ts";
import type { ProviderSettings } from "./models/provider.ts";

/** What an operator decides. Whoever submits a site can choose among the models offered, and nothing else of this. */
export interface SiteSettings {
  readonly policy: FetchPolicy;
  readonly fetchLimits?: Partial<FetchLimits>;
  /** Between two requests to the same site. */
  readonly pageGapMs: number;
  readonly providers: readonly ProviderSettings[];
  /** `openai/gpt-5-mini`: what a site may be asked of, and is where the request names none. */
  readonly models: readonly string[];
  readonly modelTimeoutMs: number;
  readonly maxOutputTokens: number;
  /** Model calls of one job at the same time: as many may be billed twice after a crash. */
  readonly callsInFlight: number;
  /** For a request without a budget. */
  readonly budgetCalls: number;
  readonly retentionMs: number;
}

export const DAY_MS = 86_400_000;

export const SITE_DEFAULTS = {
  pageGapMs: 500,
  providers: [],
  models: [],
  modelTimeoutMs: 60_000,
  maxOutputTokens: 800,
  callsInFlight: 4,
  budgetCalls: 200,
  retentionMs: 90 * DAY_MS,
} as const satisfies Omit<SiteSettings, "policy">;
