// Gemini's own API, by the shapes of its documentation: it is small, so no package is needed for it. Its compatible endpoint could
// not search the web.

import type { ModelCallOptions, ModelReply, ModelRequest } from "./client.ts";
import { type ProviderSettings, parseRef } from "./provider.ts";

const BASE_URL = "https://generativelanguage.googleapis.com/v1beta";

export async function askGemini(
  ref: string,
  { apiKey = "", baseUrl = BASE_URL }: ProviderSettings,
  { prompt, schema }: ModelRequest,
  { maxOutputTokens, reasoningEffort, webSearch, signal }: ModelCallOptions,
): Promise<Omit<ModelReply, "ms">> {
  const { model } = parseRef(ref);
  const body = {
    contents: [{ role: "user", parts: [{ text: prompt }] }],
    ...(webSearch && { tools: [{ google_search: {} }] }),
    generationConfig: {
      maxOutputTokens,
      ...(schema !== undefined && { responseMimeType: "application/json", responseJsonSchema: schema }),
      ...(reasoningEffort !== undefined && { thinkingConfig: thinking(model, reasoningEffort) }),
    },
  };
  const response = await fetch(`${baseUrl.replace(/\/$/, "")}/models/${encodeURIComponent(model)}:generateContent`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-goog-api-key": apiKey },
    body: JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  if (!response.ok) throw refused(response, text);
  return replyOf(answerIn(text, response), { searched: webSearch === true });
}

type Effort = NonNullable<ModelCallOptions["reasoningEffort"]>;

/** Tokens of thought: models of the second generation take a number, later ones a level. */
const BUDGETS: Readonly<Record<Effort, number>> = { minimal: 128, low: 1_024, medium: 8_192, high: 24_576 };

function thinking(model: string, effort: Effort): object {
  return /gemini-2/.test(model) ? { thinkingBudget: BUDGETS[effort] } : { thinkingLevel: effort.toUpperCase() };
}

interface GeminiAnswer {
  candidates?: {
    content?: { parts?: { text?: string; thought?: boolean }[] };
    finishReason?: string;
    groundingMetadata?: {
      webSearchQueries?: string[];
      groundingChunks?: { web?: { uri?: string; title?: string } }[];
    };
  }[];
  promptFeedback?: { blockReason?: string };
  modelVersion?: string;
  usageMetadata?: { promptTokenCount?: number; candidatesTokenCount?: number; thoughtsTokenCount?: number };
}

/** Why Gemini ended an answer that it will not give. */
const REFUSALS = new Set(["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION"]);

function replyOf(answer: GeminiAnswer, { searched }: { searched: boolean }): Omit<ModelReply, "ms"> {
  const [candidate] = answer.candidates ?? [];
  const { finishReason, groundingMetadata } = candidate ?? {};
  const parts = candidate?.content?.parts ?? [];
  const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = answer.usageMetadata ?? {};
  const isRefused = answer.promptFeedback?.blockReason !== undefined || REFUSALS.has(finishReason ?? "");
  return {
    text: parts.map(({ text = "", thought }) => (thought ? "" : text)).join(""),
    ...(answer.modelVersion !== undefined && { reported: answer.modelVersion }),
    finish: isRefused ? "refused" : finishReason === "MAX_TOKENS" ? "length" : "stop",
    sources: [...new Set((groundingMetadata?.groundingChunks ?? []).flatMap(({ web }) => pageOf(web) ?? []))],
    ...(searched && { queries: groundingMetadata?.webSearchQueries ?? [] }),
    usage: { inputTokens: promptTokenCount, outputTokens: candidatesTokenCount + thoughtsTokenCount },
  };
}

/** Gemini cites by a redirect of its own, and names the page's domain beside it. */
function pageOf(web: { uri?: string; title?: string } | undefined): string | undefined {
  const { uri, title = "" } = web ?? {};
  if (uri === undefined) return undefined;
  const isRedirect = /^https:\/\/vertexaisearch\.cloud\.google\.com\/grounding-api-redirect\//.test(uri);
  return isRedirect && /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u.test(title) ? `https://${title}/` : uri;
}

function answerIn(text: string, response: Response): GeminiAnswer {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === "object" && answer !== null) return answer as GeminiAnswer;
  } catch {
    // Told below, as an answer that is no object is.
  }
  throw Object.assign(new Error("The answer is not JSON."), { statusCode: response.status });
}

interface GeminiError {
  error?: {
    message?: string;
    details?: { retryDelay?: string; violations?: { quotaId?: string }[] }[];
  };
}

/** In the form in which the SDK throws, so that all providers' faults are told apart by the same rules. */
function refused(response: Response, text: string): Error {
  const { message = `The provider answered ${response.status}.`, details = [] } = errorIn(text).error ?? {};
  const fault = {
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers) as Record<string, string>,
    responseBody: text.slice(0, 2_000),
  };
  // The same sentence tells of a used-up day and of a busy minute. The quota's id tells them apart.
  const quotas = details.flatMap(({ violations = [] }) => violations.map(({ quotaId = "" }) => quotaId));
  if (response.status !== 429 || quotas.some((id) => /PerDay/i.test(id)) || quotas.length === 0)
    return Object.assign(new Error(message), fault);
  const delay = details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  if (delay !== undefined) fault.responseHeaders["retry-after"] = String(Number.parseFloat(delay));
  return Object.assign(new Error("The limit per minute is used up."), { ...fault, responseBody: "" });
}

function errorIn(text: string): GeminiError {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    // An error page of something in between says nothing that helps.
    return {};
  }
}
