// Models on loopback whose answers are known: what is asked decides, not chance, so every figure can be worked out by hand.

import type { TestContext } from "node:test";
import { LLMock } from "@copilotkit/aimock";

export interface Asked {
  model: string;
  prompt: string;
  /** How often this model was asked this before. */
  nth: number;
  at: number;
}

type Reply =
  | { content: string; finishReason?: string }
  | { error: { message: string }; status: number; retryAfter?: number };
export type Behaviour = (asked: Asked) => Reply | Promise<Reply>;

export interface ModelServer {
  readonly env: Readonly<Record<string, string>>;
  readonly asked: Asked[];
  /** Of one model. */
  of(model: string): Asked[];
}

/** Speaks OpenAI's, Anthropic's and the compatible servers' tongue on one port. */
export async function modelServer(t: TestContext, behaviour: Behaviour): Promise<ModelServer> {
  const asked: Asked[] = [];
  const counts = new Map<string, number>();
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  mock.on({ predicate: () => true }, async (request) => {
    const last = request.messages.at(-1)?.content;
    const prompt =
      typeof last === "string" ? last : (last ?? []).map((part) => ("text" in part ? part.text : "")).join("");
    const key = `${request.model}\n${prompt}`;
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    const one = { model: request.model, prompt, nth, at: performance.now() };
    asked.push(one);
    return (await behaviour(one)) as never;
  });
  await mock.start();
  t.after(() => mock.stop());
  const base = `${mock.url}/v1`;
  return {
    asked,
    of: (model) => asked.filter((each) => each.model === model),
    env: {
      OPENAI_API_KEY: "sk-test-openai",
      OPENAI_BASE_URL: base,
      ANTHROPIC_API_KEY: "sk-test-anthropic",
      ANTHROPIC_BASE_URL: base,
      MODEL_SERVER_URL: base,
      MODEL_REQUESTS_PER_MINUTE: "100000",
    },
  };
}
