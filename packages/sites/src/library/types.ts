import type { z } from "zod";
import type { Report } from "../api/report.ts";
import type { SiteRequest } from "../api/site-shapes.ts";

type Request = z.input<typeof SiteRequest>;

/** A provider's key and address, as the AI SDK takes them. */
export interface ProviderOptions {
  /** The key of your account. A server of your own may need none. */
  readonly apiKey?: string;
  /** Another address of the same API. */
  readonly baseUrl?: string;
  /** Default: 60. */
  readonly requestsPerMinute?: number;
  /** Default: no limit. */
  readonly tokensPerMinute?: number;
}

/** The providers whose models are asked. */
export interface Providers {
  /** For `openai/…`. */
  readonly openai?: ProviderOptions;
  /** For `anthropic/…`. */
  readonly anthropic?: ProviderOptions;
  /** For Gemini: `google/…`. */
  readonly google?: ProviderOptions;
  /** For `perplexity/…`. Its models search the web for every answer. */
  readonly perplexity?: ProviderOptions;
  /** Any server that speaks OpenAI's protocol. */
  readonly server?: ProviderOptions & { readonly baseUrl: string };
}

/** How far an analysis is. */
export interface AnalyseProgress {
  /** The stage that runs. */
  readonly stage: "website-analysis" | "prompt-forming" | "model-analysis";
  /** 0 to 1, within the stage. */
  readonly value: number;
  /** `page 4 of up to 10` */
  readonly message: string;
}

/** What `analyse` gives. */
export interface Analysis {
  /** The report as data; `toHtml` and `toCsv` write it. */
  readonly report: Report;
}

/** What to ask about a site, whom, and within which limits. */
export interface AnalyseOptions
  extends Pick<Request, "brand" | "competitors" | "language" | "promptCount" | "maxPages" | "samples" | "budget"> {
  /** Questions of your own instead of formed ones, 50 at most. */
  readonly prompts?: string[];
  /** Each prompt is asked for each locale, such as `en-GB`: its country is added. Default: none. */
  readonly locales?: string[];
  /** Each prompt is asked as each persona, whose sentence begins it. Default: none. */
  readonly personas?: string[];
  /** What to do if the prompts may be wrong: `fail` asks no model, `continue` asks all the same. Default: `fail`. */
  readonly onDoubt?: "fail" | "continue";
  /** Lets models search the web before they answer. Default: false; Perplexity's models always do. */
  readonly webSearch?: boolean;
  /** The site is yours: its first page is also fetched as AI bots see it. Default: false. */
  readonly ownSite?: boolean;
  /** A model of `models`, or another of `providers`, that reads each answer beside the rules. Default: none. */
  readonly judge?: string;
  /** By model: the most tokens of an answer, and the effort of its reasoning. Default: 8,000 tokens. */
  readonly modelOptions?: Request["modelOptions"];
  /** `provider/model`, such as `openai/gpt-5-mini`. Default: none, and the site's own text answers. */
  readonly models?: string[];
  /** Keys and addresses of the providers that `models` names. */
  readonly providers?: Providers;
  /** Time limit for one model call. Default: 60,000 ms. */
  readonly modelTimeoutMs?: number;
  /** Pause between two requests to the site. Default: 500 ms. */
  readonly pageGapMs?: number;
  /** Exact `host:port` that may have a private address, such as a site under test. Default: none. */
  readonly allow?: readonly string[];
  /** Ports beside 80 and 443. Default: none. */
  readonly ports?: readonly number[];
  /**
   * Runs the scripts of pages that are empty without them, in a Chromium that is installed (`@sparticuz/chromium`, or the
   * system's). Default: false.
   */
  readonly render?: boolean;
  /** Stops the analysis; `analyse` rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called with each step of the progress. */
  readonly onProgress?: (progress: AnalyseProgress) => void;
}
