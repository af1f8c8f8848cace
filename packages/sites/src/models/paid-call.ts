// A call that costs money is made once. Two steps belong to each try: `sent` before, with what was reserved, and `try`
// after, with what came. `sent` without `try` means that a crash came between, and the call may have been billed.

import { createHash } from "node:crypto";
import type { Context } from "millrace";
import type { Usage } from "../api/shapes.ts";
import type { Bill, CostEstimate, Ledger } from "./budget.ts";
import type { ModelReply } from "./client.ts";
import { ModelFault, type ModelFaultCode } from "./fault.ts";
import type { ModelOptions } from "./model-options.ts";
import type { PriceOf } from "./price.ts";
import { mostTokensAtOnce, parseRef, requestLimiter, tokenLimiter } from "./provider.ts";

/** Raised by hand when what is sent changes. Never the version of a deploy, or a deploy would pay again. */
export const CALL_CONTRACT = 1;

export interface CallParts extends ModelOptions {
  prompt: string;
  ref: string;
  sample: number;
}

export function callKey(parts: CallParts): string {
  const { prompt, ref, sample, maxOutputTokens, reasoningEffort, webSearch } = parts;
  const effort = [...(reasoningEffort === undefined ? [] : [reasoningEffort]), ...(webSearch ? ["web-search"] : [])];
  const text = JSON.stringify([CALL_CONTRACT, prompt, ref, sample, maxOutputTokens, ...effort]);
  return createHash("sha256").update(text).digest("hex").slice(0, 20);
}

type CallTry =
  | { outcome: "answered"; reply: ModelReply; usd: number | null }
  | { outcome: "limited"; retryAt: number }
  | { outcome: "interrupted"; jobId: string; estimate: CostEstimate }
  | {
      outcome: "error";
      code: ModelFaultCode;
      message: string;
      permanent: boolean;
      retryAt: number;
      jobId: string;
      usage?: Usage;
      usd: number | null;
      /** It reached the provider and may be billed: the budget counts what was reserved for it. */
      perhapsBilled?: CostEstimate;
    };

export type PaidCallResult =
  | {
      state: "answered";
      reply: ModelReply;
      usd: number | null;
      attempts: number;
      repeats: number;
      perhapsBilled: number;
    }
  | {
      state: "failed";
      message: string;
      code: ModelFaultCode;
      usage?: Usage | undefined;
      usd: number | null;
      attempts: number;
      repeats: number;
      perhapsBilled: number;
    }
  | { state: "waits"; until: number }
  | { state: "no-budget"; lacks: "calls" | "tokens" | "usd" }
  | { state: "interrupted"; attempts: number };

export interface PaidCall {
  key: string;
  ref: string;
  estimate: CostEstimate;
  /** Of its provider; 0: not limited. */
  tokensPerMinute: number;
  send: () => Promise<ModelReply>;
}

export interface CallFunds {
  ctx: Context;
  ledger: Ledger;
  priceOf: PriceOf;
  onInterrupted: "retry" | "skip";
  /** The pauses between tries are multiples of it. Default: 1,000 ms. */
  retryBaseMs?: number;
}

/** An overloaded provider is asked over about a minute. What may have been billed is not repeated as often. */
const MOST_ERRORS = 5;
const MOST_PERHAPS_BILLED = 2;
const PAUSES = [2, 6, 18, 36];
const MOST_TRIES = 30;

/** Looks at what is stored of this call; sends it if it must be, may be, and there is room. */
export async function paidCall(call: PaidCall, purse: CallFunds): Promise<PaidCallResult> {
  const { ctx, onInterrupted } = purse;
  let errors = 0;
  let repeats = 0;
  let perhapsBilled = 0;
  for (let number = 1; number <= MOST_TRIES; number++) {
    const made = await oneTry(call, purse, number);
    if ("lacks" in made) return made;
    switch (made.outcome) {
      case "answered":
        return { state: "answered", reply: made.reply, usd: made.usd, attempts: number, repeats, perhapsBilled };
      case "interrupted":
        if (onInterrupted === "skip") return { state: "interrupted", attempts: number };
        repeats++;
        break;
      case "limited":
        if (made.retryAt > Date.now()) return { state: "waits", until: made.retryAt };
        break;
      case "error": {
        if (made.perhapsBilled !== undefined) perhapsBilled++;
        // What failed in the job that this one revives is tried again.
        if (made.jobId !== ctx.jobId) break;
        errors++;
        if (made.permanent || errors >= MOST_ERRORS || perhapsBilled >= MOST_PERHAPS_BILLED) {
          return {
            state: "failed",
            message: made.message,
            code: made.code,
            usage: made.usage,
            usd: made.usd,
            attempts: number,
            repeats,
            perhapsBilled,
          };
        }
        if (made.retryAt > Date.now()) return { state: "waits", until: made.retryAt };
      }
    }
  }
  return {
    state: "failed",
    message: "The provider kept limiting the rate (429).",
    code: "rate-limited",
    usd: 0,
    attempts: MOST_TRIES,
    repeats,
    perhapsBilled,
  };
}

type UnfundedCall = Extract<PaidCallResult, { state: "no-budget" }>;

async function oneTry(call: PaidCall, purse: CallFunds, number: number): Promise<CallTry | UnfundedCall> {
  const { ctx, ledger } = purse;
  const { key, estimate } = call;
  const sent = { fresh: false, lacks: undefined as UnfundedCall["lacks"] | undefined };
  try {
    await ctx.step(`sent ${key} ${number}`, async () => {
      sent.lacks = ledger.reserve(estimate);
      if (sent.lacks) throw new NoBudget();
      await takeRoom(call, purse);
      sent.fresh = true;
      return { at: new Date().toISOString(), jobId: ctx.jobId, ref: call.ref, estimate };
    });
  } catch (error) {
    if (error instanceof NoBudget && sent.lacks) return { state: "no-budget", lacks: sent.lacks };
    throw error;
  }
  const made = await ctx.step<CallTry>(`try ${key} ${number}`, () =>
    sent.fresh ? send(call, purse, number) : { outcome: "interrupted" as const, jobId: ctx.jobId, estimate },
  );
  if (sent.fresh && made.outcome === "limited") ledger.release(estimate);
  else if (sent.fresh) ledger.settle(estimate, billOf(made));
  return made;
}

/** Enters what earlier attempts sent, before anything new is: a budget holds over crashes too. */
export async function accountFor(
  keys: readonly string[],
  { ctx, ledger }: Pick<CallFunds, "ctx" | "ledger">,
): Promise<void> {
  for (const key of keys) for (const bill of await billsOf(key, ctx)) ledger.spentBefore(bill);
}

/** All that was billed for one call so far, over its tries. */
export async function billFor(key: string, ctx: Context): Promise<Bill> {
  const total: Bill = { calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, usd: 0, perhapsTwice: 0 };
  for (const { usage, usd, cutOff } of await billsOf(key, ctx)) {
    total.calls++;
    if (cutOff) total.perhapsTwice++;
    total.usage.inputTokens += usage?.inputTokens ?? 0;
    total.usage.outputTokens += usage?.outputTokens ?? 0;
    total.usd = usd === null || total.usd === null ? null : total.usd + usd;
  }
  return total;
}

interface OneBill {
  usage?: Usage | undefined;
  usd: number | null;
  cutOff: boolean;
}

async function billsOf(key: string, ctx: Context): Promise<OneBill[]> {
  const bills: OneBill[] = [];
  for (let number = 1; number <= MOST_TRIES; number++) {
    const sent = await ctx.stored<{ estimate: CostEstimate }>(`sent ${key} ${number}`);
    if (!sent) break;
    const made = await ctx.stored<CallTry>(`try ${key} ${number}`);
    const cutOff = made === undefined || made.outcome === "interrupted";
    if (made?.outcome !== "limited") bills.push({ ...(made ? billOf(made) : sent.estimate), cutOff });
  }
  return bills;
}

class NoBudget extends Error {}

/** A limiter without room. `yielding` is how the processor leaves, once it has nothing else to do. */
export class NoRoom extends Error {
  readonly yielding: unknown;

  constructor(yielding: unknown) {
    super("The provider's rate limit is used up.");
    this.yielding = yielding;
  }
}

/** Throws `NoRoom`; nothing is reserved then. */
async function takeRoom({ ref, estimate, tokensPerMinute }: PaidCall, { ctx, ledger }: CallFunds): Promise<void> {
  const { provider } = parseRef(ref);
  try {
    await ctx.limit(requestLimiter(provider));
    if (tokensPerMinute > 0) {
      const tokens = estimate.usage.inputTokens + estimate.usage.outputTokens;
      await ctx.limit(tokenLimiter(provider), Math.min(tokens, mostTokensAtOnce(tokensPerMinute)));
    }
  } catch (error) {
    ledger.release(estimate);
    throw new NoRoom(error);
  }
}

async function send(
  { ref, send, estimate }: PaidCall,
  { ctx, priceOf, retryBaseMs = 1_000 }: CallFunds,
  number: number,
): Promise<CallTry> {
  try {
    const reply = await send();
    return { outcome: "answered", reply, usd: reply.usage ? priceOf(ref, reply.usage) : null };
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error;
    const { code, message, permanent, usage, retryAfterMs, perhapsBilled } = error;
    if (code === "rate-limited") {
      const forMs = Math.max(250, retryAfterMs ?? 0);
      await ctx.blockLimit(requestLimiter(parseRef(ref).provider), { forMs });
      return { outcome: "limited", retryAt: Date.now() + forMs };
    }
    ctx.log.warn("model call failed", { model: ref, code, error: message });
    const usd = usage ? priceOf(ref, usage) : 0;
    const pauseMs = (PAUSES[Math.min(number, PAUSES.length) - 1] as number) * retryBaseMs * (0.75 + Math.random() / 2);
    if (retryAfterMs !== undefined)
      await ctx.blockLimit(requestLimiter(parseRef(ref).provider), { forMs: retryAfterMs });
    const retryAt = Date.now() + Math.max(pauseMs, retryAfterMs ?? 0);
    return {
      outcome: "error",
      code,
      message,
      permanent,
      retryAt,
      jobId: ctx.jobId,
      usd,
      ...(usage && { usage }),
      ...(perhapsBilled && { perhapsBilled: estimate }),
    };
  }
}

function billOf(made: CallTry): { usage?: Usage | undefined; usd: number | null } {
  switch (made.outcome) {
    case "answered":
      return { usage: made.reply.usage, usd: made.usd };
    case "interrupted":
      return made.estimate;
    case "error":
      return made.perhapsBilled ?? { usage: made.usage, usd: made.usd };
    default:
      return { usd: 0 };
  }
}
