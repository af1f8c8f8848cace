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
  (text) => (/^(?:openai|anthropic|server)\/\S+$/.test(text) ? text : undefined),
  "models like openai/gpt-5-mini, anthropic/claude-haiku-4-5 or server/llama3.1, separated by commas",
);

/** How websites are read and models asked. */
export const SITE_SETTINGS = {
  siteAllow: setting<readonly string[]>(
    "SITE_ALLOW",
    places,
    NONE,
    "Private host:port that sites may be read from all the same, such as your own site under test.",
  ),
  sitePorts: setting<readonly number[]>(
    "SITE_PORTS",
    ports,
    NONE,
    "Ports beside 80 and 443 that sites may be read from.",
  ),
  sitePageGapMs: setting("SITE_PAGE_GAP_MS", timerMs({ min: 0 }), 500, "Pause between two requests to the same site."),
  siteRender: setting(
    "SITE_RENDER",
    yesNo,
    false,
    "Run the scripts of pages that are empty without them, in a Chromium without a network of its own.",
  ),
  siteModels: setting<readonly string[]>(
    "SITE_MODELS",
    models,
    NONE,
    "Models that sites are asked of, such as openai/gpt-5-mini. Without any, the site's own text answers.",
  ),
  siteBudgetCalls: setting("SITE_BUDGET_CALLS", integer({ min: 1 }), 200, "Model calls of a run that sets no budget."),
  siteRetentionMs: setting(
    "SITE_RETENTION_MS",
    integer({ min: 0 }),
    90 * DAY_MS,
    "How long runs and reports are kept.",
  ),
  openaiApiKey: secret("OPENAI_API_KEY", headerSafe, "For models that begin with openai/."),
  openaiBaseUrl: address("OPENAI_BASE_URL", "Another address of that API.", "the provider's own"),
  anthropicApiKey: secret("ANTHROPIC_API_KEY", headerSafe, "For models that begin with anthropic/."),
  anthropicBaseUrl: address("ANTHROPIC_BASE_URL", "Another address of that API.", "the provider's own"),
  modelServerUrl: address(
    "MODEL_SERVER_URL",
    "An OpenAI-compatible server (Ollama, vLLM) for models that begin with server/: http://127.0.0.1:11434/v1.",
    "none",
  ),
  modelServerApiKey: secret("MODEL_SERVER_API_KEY", headerSafe, "For that server, if it wants one."),
  modelRequestsPerMinute: setting(
    "MODEL_REQUESTS_PER_MINUTE",
    integer({ min: 1 }),
    60,
    "Calls per provider in a minute, over all processes.",
  ),
  modelTokensPerMinute: setting(
    "MODEL_TOKENS_PER_MINUTE",
    integer({ min: 0 }),
    0,
    "Tokens per provider in a minute, over all processes; 0 = no bound.",
  ),
  modelTimeoutMs: setting("MODEL_TIMEOUT_MS", timerMs({ min: 1 }), 60_000, "Time for one answer of a model."),
  pdfTimeoutMs: setting(
    "PDF_TIMEOUT_MS",
    timerMs({ min: 1 }),
    5_000,
    "Time to print a report as PDF; then the answer is 503.",
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
  server: ["modelServerUrl", "MODEL_SERVER_URL"],
} as const;

/** A model that could never be asked is a mistake to hear of at the start. */
export function modelProblems(config: {
  readonly siteModels: readonly string[];
  readonly openaiApiKey: string | undefined;
  readonly anthropicApiKey: string | undefined;
  readonly modelServerUrl: string | undefined;
}): string[] {
  return config.siteModels.flatMap((model) => {
    const [property, name] = KEYS[model.split("/")[0] as keyof typeof KEYS];
    return config[property] === undefined
      ? [`SITE_MODELS has ${model}, and ${name} is not set. Allowed: set it, or take the model out.`]
      : [];
  });
}
