// How a site answers the bots of AI companies in fact, for an owner who asks: one page, fetched under the name of each bot, where
// robots.txt allows that bot.

import type { Context } from "millrace";
import { FetchFault } from "../fetch/fault.ts";
import { reading } from "../reading/reading.ts";
import type { AllowedFetch } from "./allowed-fetch.ts";
import { challengeOf } from "./challenge.ts";
import type { KeptPage } from "./page.ts";

export interface BotAccess {
  readonly bot: string;
  readonly outcome: "served" | "robots" | "challenge" | "refused" | "less-text" | "failed";
  /** What came, in words. */
  readonly detail: string;
}

const agent = (product: string) => `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${product})`;
const BOTS = [
  { bot: "GPTBot", userAgent: agent("GPTBot/1.2; +https://openai.com/gptbot") },
  { bot: "ClaudeBot", userAgent: agent("ClaudeBot/1.0; +claudebot@anthropic.com") },
  { bot: "PerplexityBot", userAgent: agent("PerplexityBot/1.0; +https://perplexity.ai/perplexitybot") },
] as const;

/** A bot that gets less than this share of the words is not shown the page. */
const LEAST_SHARE = 0.5;

export async function botAccess(ctx: Context, fetch: AllowedFetch, home: KeptPage): Promise<BotAccess[]> {
  const found: BotAccess[] = [];
  for (const { bot, userAgent } of BOTS) {
    const access = await fetch.step(`bot-access ${bot}`, () => served(ctx, fetch, home, { bot, userAgent }));
    found.push({ bot, ...access });
  }
  return found;
}

async function served(
  ctx: Context,
  fetch: AllowedFetch,
  home: KeptPage,
  as: { readonly bot: string; readonly userAgent: string },
): Promise<Omit<BotAccess, "bot">> {
  try {
    const fetched = await fetch.getAs(home.url, as);
    if (fetched === undefined) return { outcome: "robots", detail: "robots.txt forbids it" };
    const read = await reading.call("readPage", [fetched, "home"], ctx.signal);
    const words = "skipped" in read ? 0 : read.words;
    const challenge = challengeOf(fetched, words);
    if (challenge !== undefined)
      return { outcome: "challenge", detail: `${challenge} sent a bot check (${fetched.status})` };
    if (fetched.status >= 400) return { outcome: "refused", detail: `answered ${fetched.status}` };
    if (words < home.words * LEAST_SHARE)
      return { outcome: "less-text", detail: `${words} words, of ${home.words} that others get` };
    return { outcome: "served", detail: `answered ${fetched.status} with ${words} words` };
  } catch (error) {
    if (!(error instanceof FetchFault)) throw error;
    return { outcome: "failed", detail: error.message };
  }
}
