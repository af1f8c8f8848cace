// The providers' own endpoints with web search, on one port, with answers in the shapes of their documentation.

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface EngineRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads bodies of five shapes
  readonly body: any;
}

export interface EngineReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Each provider's base URL lies below its name: `/openai`, `/anthropic`, `/google`, `/perplexity`, `/server`. */
export async function engineServer(t: TestContext, reply: (request: EngineRequest) => EngineReply) {
  const asked: EngineRequest[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, body: JSON.parse(text) };
      asked.push(one);
      const { status = 200, headers, body } = reply(one);
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    OPENAI_API_KEY: "sk-test-openai",
    OPENAI_BASE_URL: `${base}/openai`,
    ANTHROPIC_API_KEY: "sk-test-anthropic",
    ANTHROPIC_BASE_URL: `${base}/anthropic`,
    GOOGLE_API_KEY: "test-google",
    GOOGLE_BASE_URL: `${base}/google`,
    PERPLEXITY_API_KEY: "test-perplexity",
    PERPLEXITY_BASE_URL: `${base}/perplexity`,
    MODEL_SERVER_URL: `${base}/server`,
    MODEL_REQUESTS_PER_MINUTE: "100000",
    RETRY_BASE_MS: "10",
  };
  return { asked, env };
}

/** OpenAI's Responses API: the search, then a message whose annotations cite. */
export function openaiAnswer(text: string, urls: readonly string[], query?: string): EngineReply {
  const search = {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search", query, queries: [query] },
  };
  const annotations = urls.map((url, i) => ({
    type: "url_citation",
    url,
    title: url,
    start_index: i,
    end_index: i + 1,
  }));
  return {
    body: {
      id: "resp_1",
      object: "response",
      created_at: 1_763_000_000,
      model: "gpt-search-2026-08-01",
      status: "completed",
      output: [
        ...(query === undefined ? [] : [search]),
        {
          type: "message",
          id: "msg_1",
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text, annotations }],
        },
      ],
      usage: { input_tokens: 900, output_tokens: 40, total_tokens: 940 },
    },
  };
}

/** Anthropic's Messages API: the tool's use, all pages found, and text blocks that cite some of them. */
export function anthropicAnswer(text: string, urls: readonly string[], query: string): EngineReply {
  return {
    body: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-search-20260801",
      stop_reason: "end_turn",
      stop_sequence: null,
      content: [
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query } },
        {
          type: "web_search_tool_result",
          tool_use_id: "srvtoolu_1",
          content: [...urls, "https://found-only.example/"].map((url) => ({
            type: "web_search_result",
            url,
            title: url,
            encrypted_content: "x",
            page_age: null,
          })),
        },
        {
          type: "text",
          text,
          citations: urls.map((url) => ({
            type: "web_search_result_location",
            url,
            title: url,
            encrypted_index: "x",
            cited_text: "cargo bikes",
          })),
        },
      ],
      usage: { input_tokens: 2_000, output_tokens: 50 },
    },
  };
}

/** Gemini's generateContent with grounding. */
export function geminiAnswer(
  text: string,
  pages: readonly { uri: string; title: string }[],
  query: string,
): EngineReply {
  return {
    body: {
      candidates: [
        {
          content: { role: "model", parts: [{ text: "thinking", thought: true }, { text }] },
          finishReason: "STOP",
          groundingMetadata: {
            webSearchQueries: [query],
            groundingChunks: pages.map((web) => ({ web })),
            groundingSupports: [],
          },
        },
      ],
      modelVersion: "gemini-search-001",
      usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 30, thoughtsTokenCount: 8 },
    },
  };
}

/** Chat completions: Perplexity adds `citations`, OpenAI's search models and routers annotate the message. */
export function chatAnswer(content: string, more: object = {}, annotations: readonly object[] = []): EngineReply {
  return {
    body: {
      id: "x",
      model: "sonar-2026",
      created: 1,
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content, annotations } }],
      usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
      ...more,
    },
  };
}
