import {
  headerSafe,
  httpUrl,
  integer,
  list,
  type Setting,
  type SettingValues,
  secret,
  setting,
  timerMs,
  yesNo,
} from "millrace/settings";

const DAY_MS = 86_400_000;
const NONE: readonly never[] = Object.freeze([]);

const places = list(
  (text) => (/^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}$/i.test(text) ? text.toLowerCase() : undefined),
  "exact hosts with ports, such as 127.0.0.1:8080, separated by commas",
);
const ports = list((text) => {
  const port = Number(text);
  return /^\d+$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined;
}, "ports from 1 to 65535, separated by commas");
const models = list(
  (text) => (/^(?:openai|anthropic|google|perplexity|server)\/\S+$/.test(text) ? text : undefined),
  "models like openai/gpt-5-mini, google/gemini-3-flash, perplexity/sonar or server/llama3.1, separated by commas",
);

/** How websites are read and models asked. */
export const SITE_SETTINGS = {
  siteAllow: setting<readonly string[]>(
    "SITE_ALLOW",
    places,
    NONE,
    "Private hosts with their port that may be read, such as your own site under test.",
  ),
  sitePorts: setting<readonly number[]>("SITE_PORTS", ports, NONE, "Ports that may be read, besides 80 and 443."),
  sitePageGapMs: setting("SITE_PAGE_GAP_MS", timerMs({ min: 0 }), 500, "Pause between two requests to the same site."),
  siteRender: setting(
    "SITE_RENDER",
    yesNo,
    false,
    "Run the scripts of pages that are empty without them, in a Chromium without network access.",
  ),
  siteModels: setting<readonly string[]>(
    "SITE_MODELS",
    models,
    NONE,
    "Models to ask, such as openai/gpt-5-mini. Without models, a run checks whether the site's own text answers the prompts.",
  ),
  siteBudgetCalls: setting(
    "SITE_BUDGET_CALLS",
    integer({ min: 1 }),
    200,
    "Maximum number of model calls of a run without a budget.",
  ),
  siteRetentionMs: setting(
    "SITE_RETENTION_MS",
    integer({ min: 0 }),
    90 * DAY_MS,
    "How long runs and reports are kept.",
  ),
  openaiApiKey: secret("OPENAI_API_KEY", headerSafe, "API key for models that begin with openai/."),
  openaiBaseUrl: address("OPENAI_BASE_URL", "Base URL of that API.", "the provider's own"),
  anthropicApiKey: secret("ANTHROPIC_API_KEY", headerSafe, "API key for models that begin with anthropic/."),
  anthropicBaseUrl: address("ANTHROPIC_BASE_URL", "Base URL of that API.", "the provider's own"),
  googleApiKey: secret("GOOGLE_API_KEY", headerSafe, "API key of Gemini, for models that begin with google/."),
  googleBaseUrl: address("GOOGLE_BASE_URL", "Base URL of that API.", "the provider's own"),
  perplexityApiKey: secret("PERPLEXITY_API_KEY", headerSafe, "API key for models that begin with perplexity/."),
  perplexityBaseUrl: address("PERPLEXITY_BASE_URL", "Base URL of that API.", "the provider's own"),
  modelServerUrl: address(
    "MODEL_SERVER_URL",
    "An OpenAI-compatible server (Ollama, vLLM) for models that begin with server/: http://127.0.0.1:11434/v1.",
    "none",
  ),
  modelServerApiKey: secret("MODEL_SERVER_API_KEY", headerSafe, "API key for that server, if it needs one."),
  modelRequestsPerMinute: setting(
    "MODEL_REQUESTS_PER_MINUTE",
    integer({ min: 1 }),
    60,
    "Calls per provider and minute, across all processes.",
  ),
  modelTokensPerMinute: setting(
    "MODEL_TOKENS_PER_MINUTE",
    integer({ min: 0 }),
    0,
    "Tokens per provider and minute, across all processes. 0: no limit.",
  ),
  modelTimeoutMs: setting("MODEL_TIMEOUT_MS", timerMs({ min: 1 }), 60_000, "Time limit for one model call."),
  pdfTimeoutMs: setting(
    "PDF_TIMEOUT_MS",
    timerMs({ min: 1 }),
    5_000,
    "Time limit for printing a report as PDF. After it, the request fails with 503.",
  ),
};

export type SiteSettingValues = SettingValues<typeof SITE_SETTINGS>;

function address(name: string, doc: string, fallbackText: string): Setting<string | undefined> {
  return {
    ...setting<string | undefined>(name, httpUrl, undefined, doc),
    fallbackText,
    show: (url: string | undefined) => url ?? "",
  };
}

const KEYS = {
  openai: ["openaiApiKey", "OPENAI_API_KEY"],
  anthropic: ["anthropicApiKey", "ANTHROPIC_API_KEY"],
  google: ["googleApiKey", "GOOGLE_API_KEY"],
  perplexity: ["perplexityApiKey", "PERPLEXITY_API_KEY"],
  server: ["modelServerUrl", "MODEL_SERVER_URL"],
} as const;

/** A model that could never be asked is a mistake to hear of at the start. */
export function modelProblems(config: {
  readonly siteModels: readonly string[];
  readonly openaiApiKey: string | undefined;
  readonly anthropicApiKey: string | undefined;
  readonly googleApiKey: string | undefined;
  readonly perplexityApiKey: string | undefined;
  readonly modelServerUrl: string | undefined;
}): string[] {
  return config.siteModels.flatMap((model) => {
    const [property, name] = KEYS[model.split("/")[0] as keyof typeof KEYS];
    return config[property] === undefined
      ? [`SITE_MODELS has ${model}, but ${name} is not set. Allowed: set it, or remove the model.`]
      : [];
  });
}
