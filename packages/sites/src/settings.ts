import type { FetchLimits } from "./fetch/fetch.ts";
import type { FetchPolicy } from "./fetch/target.ts";
import type { ProviderSettings } from "./models/provider.ts";

/** What an operator decides. The user who submits a site can only choose among the models offered. */
export interface SiteSettings {
  readonly policy: FetchPolicy;
  readonly fetchLimits?: Partial<FetchLimits>;
  /** Between two requests to the same site. */
  readonly pageGapMs: number;
  readonly providers: readonly ProviderSettings[];
  /** `openai/gpt-5-mini`: what a site may be asked of, and is where the request names none. */
  readonly models: readonly string[];
  readonly modelTimeoutMs: number;
  /** How long an attempt may take, where the submission says nothing else (STUCK_AFTER_MS). */
  readonly stuckAfterMs: number;
  /** The most tokens of an answer where the request says nothing else. Reasoning takes most of them. */
  readonly maxOutputTokens: number;
  /** The pauses before a failed call is tried again are multiples of it (RETRY_BASE_MS). */
  readonly retryBaseMs: number;
  /** Model calls of one job at the same time: as many may be billed twice after a crash. */
  readonly callsInFlight: number;
  /** For a request without a budget. */
  readonly budgetCalls: number;
  readonly retentionMs: number;
}

const LONGEST_TURN_MS = 60_000;

/** An attempt that has worked for this long hands its processor on, well before it would count as stuck. */
export function turnMs(timeoutMs: number): number {
  return Math.min(LONGEST_TURN_MS, timeoutMs / 2);
}

/** Of the last stage: long enough for its turn and the longest call, since a call must not outlive its lease. */
export function askingTimeoutMs({ stuckAfterMs, modelTimeoutMs }: SiteSettings): number {
  return Math.max(stuckAfterMs, modelTimeoutMs * 3);
}

export const DAY_MS = 86_400_000;

export const SITE_DEFAULTS = {
  pageGapMs: 500,
  providers: [],
  models: [],
  modelTimeoutMs: 60_000,
  stuckAfterMs: 300_000,
  maxOutputTokens: 8_000,
  retryBaseMs: 1_000,
  callsInFlight: 4,
  budgetCalls: 200,
  retentionMs: 90 * DAY_MS,
} as const satisfies Omit<SiteSettings, "policy">;
