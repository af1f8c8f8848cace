// The `ai` SDK behind an interface of our own: loaded on first use, since most runs need no model. Its retries are off: it
// would sleep in our processor, and the engine knows better when to come back.

import type { LanguageModel } from "ai";
import { AppError } from "millrace";
import { ModelFault } from "./fault.ts";
import { askGemini } from "./gemini.ts";
import { effortOf, type ModelOptions } from "./model-options.ts";
import { alwaysSearches, type ModelRef, type ProviderSettings, parseRef } from "./provider.ts";
import { citedUrls, queriesOf, SEARCH_REQUEST, searchTools, withCitations } from "./web-search.ts";

export interface ModelReply {
  text: string;
  /** What the provider says it was. */
  reported?: string;
  finish: "stop" | "length" | "refused";
  /** The pages that the answer cites, in its order. */
  sources: string[];
  /** What the model searched the web for. Missing in replies of older versions. */
  queries?: string[];
  usage?: { inputTokens: number; outputTokens: number };
  ms: number;
}

export interface ModelClient {
  /** The prompt alone: no system prompt, no tools but web search if it is on, the provider's own temperature. */
  ask(ref: string, prompt: string, options: ModelCallOptions): Promise<ModelReply>;
  /** An answer in a given shape, as JSON text. */
  askJson(ref: string, prompt: string, schema: unknown, options: ModelCallOptions): Promise<ModelReply>;
}

export interface ModelCallOptions {
  readonly maxOutputTokens: number;
  readonly reasoningEffort?: ModelOptions["reasoningEffort"];
  /** The model may search the web. Default: false. */
  readonly webSearch?: boolean | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export function modelClient(providers: readonly ProviderSettings[]): ModelClient {
  const known = new Map(providers.map((provider) => [provider.name, provider]));
  const models = new Map<string, Promise<LanguageModel>>();
  const modelOf = (ref: string): Promise<LanguageModel> => {
    const made = models.get(ref) ?? load(known, parseRef(ref));
    models.set(ref, made);
    return made;
  };
  const providerOf = (ref: string): ProviderSettings => {
    const { provider } = parseRef(ref);
    const settings = known.get(provider);
    if (!settings) throw new AppError("model-unknown", `Unknown model provider "${provider}".`);
    return settings;
  };
  const send = (ref: string, request: ModelRequest, options: ModelCallOptions): Promise<ModelReply> => {
    const provider = providerOf(ref);
    if (provider.type === "google")
      return timed(options, (signal) => askGemini(ref, provider, request, { ...options, signal }));
    return timed(options, (signal) => generate(modelOf(ref), request, { ...options, signal, provider }));
  };
  return {
    ask: (ref, prompt, options) => send(ref, { prompt }, options),
    askJson: (ref, prompt, schema, options) => send(ref, { prompt, schema }, options),
  };
}

export interface ModelRequest {
  readonly prompt: string;
  /** JSON Schema of the answer. Default: the answer is text. */
  readonly schema?: unknown;
}

/** One call within its time limit. What goes wrong is a `ModelFault`. */
async function timed(
  options: ModelCallOptions,
  send: (signal: AbortSignal) => Promise<Omit<ModelReply, "ms">>,
): Promise<ModelReply> {
  const limit = AbortSignal.timeout(options.timeoutMs);
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
  try {
    const reply = await send(AbortSignal.any([options.signal, limit]));
    return { ...reply, text: bounded(reply.text), ms: ms() };
  } catch (error) {
    options.signal.throwIfAborted();
    const unfit = unfitReply(error, ms());
    if (unfit) return unfit;
    throw ModelFault.from(error, limit.aborted ? options.timeoutMs : undefined);
  }
}

async function generate(
  loading: Promise<LanguageModel>,
  { prompt, schema }: ModelRequest,
  options: ModelCallOptions & { readonly provider: ProviderSettings },
): Promise<Omit<ModelReply, "ms">> {
  const { generateText, jsonSchema, Output } = await sdk();
  const { provider, webSearch = false, reasoningEffort } = options;
  const model = await loading;
  const tools = webSearch ? await searchTools(provider.type) : undefined;
  const own = {
    ...(reasoningEffort !== undefined && effortOf(provider.type, reasoningEffort)),
    // A compatible server has no search tool of its own, so the request asks as it asks OpenAI's search models.
    ...(webSearch && provider.type === "compatible" && SEARCH_REQUEST),
  };
  const request = {
    model,
    prompt,
    ...(schema !== undefined && { output: Output.object({ schema: jsonSchema(schema as never) }) }),
    ...(tools && { tools: tools as never }),
    maxOutputTokens: options.maxOutputTokens,
    ...(Object.keys(own).length > 0 && { providerOptions: { [provider.name]: own } as never }),
    maxRetries: 0,
    abortSignal: options.signal,
    ...(webSearch && { include: { responseBody: true } }),
  };
  const result = await generateText(request as unknown as Parameters<typeof generateText>[0]);
  return {
    text: result.text,
    reported: result.response.modelId,
    finish: result.finishReason === "length" ? "length" : result.finishReason === "content-filter" ? "refused" : "stop",
    sources: citedUrls(result as unknown as Parameters<typeof citedUrls>[0], provider.type),
    ...((webSearch || alwaysSearches(provider)) && {
      queries: queriesOf(result as unknown as Parameters<typeof queriesOf>[0]),
    }),
    usage: { inputTokens: result.usage.inputTokens ?? 0, outputTokens: result.usage.outputTokens ?? 0 },
  };
}

/** An answer that came but is not the JSON that was asked for: its reader may still find what it needs, so it is kept. */
function unfitReply(error: unknown, ms: number): ModelReply | undefined {
  const { name, text, usage } = error as { name?: string; text?: unknown; usage?: Partial<ModelReply["usage"]> };
  if (name !== "AI_NoObjectGeneratedError" || typeof text !== "string") return undefined;
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  return {
    text: bounded(text),
    finish: "stop",
    sources: [],
    usage: { inputTokens, outputTokens },
    ms,
  };
}

const MAX_ANSWER_CHARS = 40_000;

function bounded(text: string): string {
  return text.toWellFormed().replaceAll("\0", "").slice(0, MAX_ANSWER_CHARS);
}

async function load(
  known: ReadonlyMap<string, ProviderSettings>,
  { provider, model }: ModelRef,
): Promise<LanguageModel> {
  const settings = known.get(provider);
  if (!settings) throw new AppError("model-unknown", `Unknown model provider "${provider}".`);
  const { apiKey, baseUrl: baseURL, type, name } = settings;
  const options = { apiKey: apiKey ?? "none", ...(baseURL !== undefined && { baseURL }) };
  if (type === "openai")
    return (await installed("@ai-sdk/openai", () => import("@ai-sdk/openai"))).createOpenAI(options)(model);
  if (type === "anthropic") {
    return (await installed("@ai-sdk/anthropic", () => import("@ai-sdk/anthropic"))).createAnthropic(options)(model);
  }
  const { createOpenAICompatible } = await installed(
    "@ai-sdk/openai-compatible",
    () => import("@ai-sdk/openai-compatible"),
  );
  return createOpenAICompatible({
    name,
    baseURL: baseURL ?? (type === "perplexity" ? PERPLEXITY_URL : ""),
    supportsStructuredOutputs: true,
    metadataExtractor: withCitations(name),
    ...(apiKey !== undefined && { apiKey }),
  })(model);
}

const PERPLEXITY_URL = "https://api.perplexity.ai";

function sdk(): Promise<typeof import("ai")> {
  return installed("ai", () => import("ai"));
}

async function installed<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new AppError("model-sdk-missing", `Asking models needs the package ${name}.`, {
      hint: "npm install ai @ai-sdk/openai @ai-sdk/anthropic @ai-sdk/openai-compatible @pydantic/genai-prices",
      cause,
    });
  }
}
