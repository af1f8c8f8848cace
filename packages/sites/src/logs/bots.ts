// The bots of AI companies and search engines by the word in their agent line, and what they fetch pages for. A user's assistant
// fetches one page for one question; that is a visit, not crawling.

export type BotPurpose = "training" | "search" | "user";

export interface KnownBot {
  readonly name: string;
  readonly purpose: BotPurpose;
  readonly operator: string;
}

const TABLE: readonly (readonly [purpose: BotPurpose, operator: string, names: string])[] = [
  ["training", "OpenAI", "GPTBot"],
  ["training", "Anthropic", "ClaudeBot anthropic-ai"],
  ["training", "Common Crawl", "CCBot"],
  ["training", "Meta", "meta-externalagent FacebookBot"],
  ["training", "ByteDance", "Bytespider"],
  ["training", "Amazon", "Amazonbot"],
  ["training", "Cohere", "cohere-ai cohere-training-data-crawler"],
  ["training", "Allen Institute", "AI2Bot"],
  ["training", "Diffbot", "Diffbot"],
  ["search", "OpenAI", "OAI-SearchBot"],
  ["search", "Anthropic", "Claude-SearchBot"],
  ["search", "Perplexity", "PerplexityBot"],
  ["search", "Google", "Googlebot GoogleOther"],
  ["search", "Microsoft", "bingbot"],
  ["search", "Apple", "Applebot"],
  ["search", "DuckDuckGo", "DuckAssistBot DuckDuckBot"],
  ["search", "You.com", "YouBot"],
  ["search", "Yandex", "YandexBot"],
  ["search", "Baidu", "Baiduspider"],
  ["search", "Brave", "Bravebot"],
  ["user", "OpenAI", "ChatGPT-User"],
  ["user", "Anthropic", "Claude-User"],
  ["user", "Perplexity", "Perplexity-User"],
  ["user", "Mistral", "MistralAI-User"],
  ["user", "Meta", "meta-externalfetcher"],
  ["user", "Google", "Google-Agent Gemini-Deep-Research"],
];

export const BOTS: readonly KnownBot[] = TABLE.flatMap(([purpose, operator, names]) =>
  names.split(" ").map((name) => ({ name, purpose, operator })),
);

const BY_NAME = new Map(BOTS.map((bot) => [bot.name.toLowerCase(), bot]));
/** The longest name first: "Claude-SearchBot" is not "ClaudeBot", and neither is within a longer word. */
const NAMES = new RegExp(
  `(?<![\\w-])(?:${BOTS.map(({ name }) => name)
    .toSorted((a, b) => b.length - a.length)
    .join("|")})(?![\\w-])`,
  "i",
);

export function botOf(agentLine: string): KnownBot | undefined {
  const found = NAMES.exec(agentLine)?.[0];
  return found === undefined ? undefined : BY_NAME.get(found.toLowerCase());
}
