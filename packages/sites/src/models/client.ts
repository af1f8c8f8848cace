// The `ai` SDK behind an interface of our own: loaded on first use, since most runs need no model. Its retries are off: it
// would sleep in our processor, and the engine knows better when to come back.

import type { LanguageModel } from "ai";
import { AppError } from "millrace";
import { ModelFault } from "./fault.ts";
import type { ModelOptions } from "./model-options.ts";
import { type ModelRef, type ProviderSettings, parseRef } from "./provider.ts";

export interface ModelReply {
  text: string;
  /** What the provider says it was. */
  reported?: string;
  finish: "stop" | "length" | "refused";
  sources: string[];
  usage?: { inputTokens: number; outputTokens: number };
  ms: number;
}

export interface ModelClient {
  /** The prompt alone: no system prompt, no tools, the provider's own temperature. */
  ask(ref: string, prompt: string, options: ModelCallOptions): Promise<ModelReply>;
  /** An answer in a given shape, as JSON text. */
  askJson(ref: string, prompt: string, schema: unknown, options: ModelCallOptions): Promise<ModelReply>;
}

export interface ModelCallOptions {
  readonly maxOutputTokens: number;
  readonly reasoningEffort?: ModelOptions["reasoningEffort"];
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
  return {
    ask: (ref, prompt, options) => call(modelOf(ref), { prompt }, { ...options, provider: parseRef(ref).provider }),
    askJson: async (ref, prompt, schema, options) => {
      const { jsonSchema, Output } = await sdk();
      return call(
        modelOf(ref),
        { prompt, output: Output.object({ schema: jsonSchema(schema as never) }) },
        {
          ...options,
          provider: parseRef(ref).provider,
        },
      );
    },
  };
}

async function call(
  loading: Promise<LanguageModel>,
  request: object,
  options: ModelCallOptions & { readonly provider: string },
): Promise<ModelReply> {
  const { generateText } = await sdk();
  const model = await loading;
  const limit = AbortSignal.timeout(options.timeoutMs);
  const startedAt = performance.now();
  try {
    const result = await generateText({
      model,
      ...(request as { prompt: string }),
      maxOutputTokens: options.maxOutputTokens,
      ...(options.reasoningEffort !== undefined && {
        providerOptions: { [options.provider]: { reasoningEffort: options.reasoningEffort } },
      }),
      maxRetries: 0,
      abortSignal: AbortSignal.any([options.signal, limit]),
    });
    return {
      text: result.text.toWellFormed().replaceAll("\0", "").slice(0, MAX_ANSWER_CHARS),
      reported: result.response.modelId,
      finish:
        result.finishReason === "length" ? "length" : result.finishReason === "content-filter" ? "refused" : "stop",
      sources: result.sources.flatMap((source) => (source.sourceType === "url" ? [source.url] : [])).slice(0, 50),
      usage: { inputTokens: result.usage.inputTokens ?? 0, outputTokens: result.usage.outputTokens ?? 0 },
      ms: Math.round(performance.now() - startedAt),
    };
  } catch (error) {
    options.signal.throwIfAborted();
    const unfit = unfitReply(error, Math.round(performance.now() - startedAt));
    if (unfit) return unfit;
    throw ModelFault.from(error, limit.aborted ? options.timeoutMs : undefined);
  }
}

/** An answer that came but is not the JSON that was asked for: its reader may still find what it needs, so it is kept. */
function unfitReply(error: unknown, ms: number): ModelReply | undefined {
  const { name, text, usage } = error as { name?: string; text?: unknown; usage?: Partial<ModelReply["usage"]> };
  if (name !== "AI_NoObjectGeneratedError" || typeof text !== "string") return undefined;
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  return {
    text: text.toWellFormed().replaceAll("\0", "").slice(0, MAX_ANSWER_CHARS),
    finish: "stop",
    sources: [],
    usage: { inputTokens, outputTokens },
    ms,
  };
}

const MAX_ANSWER_CHARS = 40_000;

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
    baseURL: baseURL ?? "",
    supportsStructuredOutputs: true,
    ...(apiKey !== undefined && { apiKey }),
  })(model);
}

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
