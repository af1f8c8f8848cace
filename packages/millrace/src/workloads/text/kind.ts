import { z } from "zod";
import { type Context, defineKind, JobFailure } from "../../index.ts";

const MAX_CHARS = 30;
const FORBIDDEN = "forbidden";

/** Any JSON is accepted: the processor judges it, so that a newcomer sees what a failure looks like. A form asks for what it wants. */
const anyJson = z.unknown().meta({
  type: "object",
  properties: { text: { type: "string", description: "Takes one second per character, at most 30." } },
  required: ["text"],
});

/**
 * The newcomer's job: it takes a second per character, reports progress and says what it did. It shows success,
 * progress, retry, dead letter and revive without a line of code.
 */
export function textKind({ msPerChar = 1_000 }: { msPerChar?: number } = {}) {
  return defineKind({
    name: "text",
    payload: anyJson,
    examples: [{ text: "hello" }, { text: "fail" }, { text: "this is forbidden" }],
    run: async (ctx, payload: unknown) => {
      const text = judged(payload);
      const startedAt = Date.now();
      const chars = Math.max(1, text.length);
      for (let done = 0; done < chars; done++) {
        ctx.progress(done / chars, `character ${done + 1} of ${chars}`);
        await pause(msPerChar, ctx);
      }
      ctx.log.info("text processed", { characters: text.length });
      return { text, characters: text.length, upperCase: text.toUpperCase(), tookMs: Date.now() - startedAt };
    },
  });
}

function judged(payload: unknown): string {
  const text = (payload as { text?: unknown } | null)?.text;
  if (typeof text !== "string")
    throw new JobFailure('The payload must be an object with a "text".', { code: "text-missing" });
  if (text.length === 0) throw new JobFailure("Text is empty", { code: "text-empty" });
  if (text.length > MAX_CHARS) {
    throw new JobFailure(`Text length exceeds maximum (${text.length} > ${MAX_CHARS} characters)`, {
      code: "text-too-long",
    });
  }
  if (text === "fail") throw new JobFailure('The text "fail" fails every time.', { code: "text-failed" });
  if (text.includes(FORBIDDEN)) throw new JobFailure(`Text contains "${FORBIDDEN}"`, { code: "text-forbidden" });
  return text;
}

function pause(ms: number, ctx: Context): Promise<void> {
  const { signal } = ctx;
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
