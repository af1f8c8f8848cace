// Web search as each provider offers it, and what its answers say about it: the queries that were run and the pages cited.
// Shapes are those of the providers' documentation; tests hold them against scripted servers.

import type { ProviderSettings } from "./provider.ts";

/** A question is worth a few searches; each is billed. */
const MOST_SEARCHES = 5;

/** For a compatible server, as OpenAI's chat completions ask for a search. */
export const SEARCH_REQUEST = { web_search_options: {} };

/** The tool that the provider runs itself. Undefined: it searches without one. */
export async function searchTools(type: ProviderSettings["type"]): Promise<Record<string, unknown> | undefined> {
  if (type === "openai") {
    const { openai } = await import("@ai-sdk/openai");
    return { web_search: openai.tools.webSearch({}) };
  }
  if (type === "anthropic") {
    const { anthropic } = await import("@ai-sdk/anthropic");
    return { web_search: anthropic.tools.webSearch_20250305({ maxUses: MOST_SEARCHES }) };
  }
  return undefined;
}

interface SearchedResult {
  readonly sources: readonly { sourceType: string; url?: string }[];
  readonly content: readonly { type: string; input?: unknown; output?: unknown }[];
  readonly providerMetadata?: Record<string, Record<string, unknown>> | undefined;
  readonly response: { readonly body?: unknown };
}

const MOST_URLS = 50;
const MOST_QUERIES = 20;

/** The pages that an answer cites, each once, in its order. */
export function citedUrls(result: SearchedResult, type: ProviderSettings["type"]): string[] {
  const { sources, providerMetadata = {} } = result;
  const cites = type === "anthropic" ? citedByAnthropic(result) : sources.flatMap(({ url }) => texts(url));
  const listed = Object.values(providerMetadata).flatMap((own) => texts(own?.[CITED]));
  return [...new Set([...cites, ...listed])].slice(0, MOST_URLS);
}

/** The SDK lists every page that a search found. Which of them the text cites stands in the answer's own blocks. */
function citedByAnthropic({ sources, response }: SearchedResult): string[] {
  const { content } = (response.body ?? {}) as { content?: { citations?: { url?: unknown }[] | null }[] };
  if (!Array.isArray(content)) return sources.flatMap(({ url }) => texts(url));
  return content.flatMap(({ citations }) => (citations ?? []).flatMap(({ url }) => texts(url)));
}

/** What the model searched for: the input of its tool, or what the tool says it has done. */
export function queriesOf({ content, providerMetadata = {} }: SearchedResult): string[] {
  const queries = content.flatMap(({ type, input, output }) => {
    if (type === "tool-call") return texts((input as { query?: unknown } | undefined)?.query);
    if (type !== "tool-result") return [];
    const { action } = (output ?? {}) as { action?: { query?: unknown; queries?: unknown } };
    return [...texts(action?.queries), ...texts(action?.query)];
  });
  const listed = Object.values(providerMetadata).flatMap((own) => texts(own?.[QUERIES]));
  return [...new Set([...queries, ...listed])].slice(0, MOST_QUERIES);
}

function texts(value: unknown): string[] {
  return [value].flat().filter((each): each is string => typeof each === "string" && each.trim() !== "");
}

const CITED = "millraceCited";
const QUERIES = "millraceQueries";

/**
 * What the SDK leaves out of answers of compatible servers: Perplexity's `citations` and `search_results`, and the `url_citation`
 * annotations of OpenAI's search models and of routers.
 */
export function withCitations(name: string) {
  return {
    extractMetadata: async ({ parsedBody }: { parsedBody: unknown }) => {
      const body = parsedBody as CitingBody;
      const annotations = body.choices?.[0]?.message?.annotations ?? [];
      const cited = [
        ...texts(body.citations),
        ...(body.search_results ?? []).flatMap(({ url }) => texts(url)),
        ...annotations.flatMap(({ url_citation }) => texts(url_citation?.url)),
      ];
      return { [name]: { [CITED]: [...new Set(cited)], [QUERIES]: texts(body.search_queries) } };
    },
    createStreamExtractor: () => ({ processChunk: () => {}, buildMetadata: () => undefined }),
  };
}

interface CitingBody {
  citations?: unknown;
  search_results?: { url?: unknown }[];
  search_queries?: unknown;
  choices?: { message?: { annotations?: { url_citation?: { url?: unknown } }[] } }[];
}
