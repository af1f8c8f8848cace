import type { Judgement } from "../api/judgement.ts";
import type { Answer, AnswerFinding, Verdict } from "../api/shapes.ts";
import { clip } from "../page/clean.ts";
import { domainOf, type Matcher, type Mention } from "./matcher.ts";
import { namingOf, sentenceAround } from "./naming.ts";

import { type Stance, saysUnknown, stanceOf } from "./verdict/stance.ts";
import { OWN, type WatchedBrand } from "./watched.ts";

/** Who an answer names, in which order, and whose pages it points to. Pure: the same answer, the same finding. */
export function findingOf(answer: Answer, watched: readonly WatchedBrand[]): AnswerFinding {
  const { text } = answer;
  const all = watched.map(({ id, matches }) => {
    const mentions = matches(text);
    const stance = stanceOf(text, mentions);
    // "I'm not familiar with Acme" names Acme only since the prompt did.
    const byRules = { id, mentions, stance, isNamed: mentions.length > 0 && stance !== "unknown" };
    return answer.judged === undefined ? byRules : asJudged(byRules, text, judgedOn(id, answer.judged, matches));
  });
  const order = all
    .filter(({ isNamed }) => isNamed)
    .sort((a, b) => (a.mentions[0]?.start ?? 0) - (b.mentions[0]?.start ?? 0))
    .map(({ id }) => id);
  return {
    callKey: answer.callKey,
    brands: all.map(({ id, mentions, stance, isNamed }) => ({
      id,
      mentioned: isNamed,
      count: isNamed ? Math.max(1, mentions.length) : mentions.length,
      position: isNamed ? order.indexOf(id) + 1 : null,
      kind: isNamed ? namingOf(text, mentions) : null,
      stance,
      quotes: mentions.slice(0, 2).map((mention) => clip(sentenceAround(text, mention), 300)),
    })),
    citations: citationsOf(answer, watched),
  };
}

interface BrandFinding {
  readonly id: string;
  readonly mentions: readonly Mention[];
  readonly stance: Stance | null;
  readonly isNamed: boolean;
}

interface BrandJudgement {
  readonly stance: Stance | "absent";
  readonly quote?: string | undefined;
}

/** What the judge says of this brand. The judge's other companies are rivals where their name is a rival's. */
function judgedOn(id: string, judged: Judgement, matches: Matcher): BrandJudgement | undefined {
  if (id === OWN) return judged.stance === undefined ? undefined : { stance: judged.stance, quote: judged.quote };
  return judged.companies.find(({ name }) => matches(name).length > 0);
}

/** A judge that does not see what rules see has to quote it, or the rules stand. */
function asJudged(byRules: BrandFinding, text: string, judged: BrandJudgement | undefined): BrandFinding {
  const { id, mentions } = byRules;
  if (judged === undefined) return byRules;
  const { stance, quote } = judged;
  if (stance === "absent") {
    return mentions.length > 0 && quote === undefined ? byRules : { id, mentions: [], stance: null, isNamed: false };
  }
  const start = quote === undefined ? -1 : text.indexOf(quote);
  const quoted = start < 0 || quote === undefined ? [] : [{ start, end: start + quote.length, text: quote }];
  return { id, mentions: mentions.length > 0 ? mentions : quoted, stance, isNamed: stance !== "unknown" };
}

/** What an answer says about the brand. A prompt that names the brand may be answered without its name. */
export function verdictOf(answer: Answer, finding: AnswerFinding | undefined, branded: boolean): Verdict {
  if (answer.status === "refused") return "refused";
  if (finding === undefined) return "not-measured";
  const stance = finding.brands.find(({ id }) => id === OWN)?.stance ?? null;
  if (stance !== null) return stance;
  return branded && answer.judged?.stance !== "absent" && saysUnknown(answer.text) ? "unknown" : "absent";
}

const ADDRESS = /https?:\/\/[^\s<>"'`[\]{}|\\^]{1,500}/giu;
/** An address without its scheme: with a path, or with www. A name such as Booking.com alone is no citation. */
const BARE =
  /(?<![\p{L}\p{N}@/._-])(?:www\.(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}(?:\/[^\s<>"'`[\]{}|\\^]{0,300})?|(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}\/[^\s<>"'`[\]{}|\\^]{1,300})/giu;

function citationsOf(answer: Answer, watched: readonly WatchedBrand[]): AnswerFinding["citations"] {
  const inText = [
    ...[...answer.text.matchAll(ADDRESS)].map(({ 0: url, index }) => ({ url, index })),
    ...[...answer.text.matchAll(BARE)].map(({ 0: url, index }) => ({ url: `https://${url}`, index })),
  ].sort((a, b) => a.index - b.index);
  const urls = new Set([...answer.sources, ...inText.map(({ url }) => url)].map(withoutTail));
  return [...urls].slice(0, 50).flatMap((url, i) => {
    if (!URL.canParse(url)) return [];
    const domain = domainOf(new URL(url).hostname);
    const owner = watched.find(({ brand }) => brand.domains.some((each) => domainOf(each) === domain));
    const whose = owner === undefined ? ("other" as const) : owner.id === OWN ? ("own" as const) : ("rival" as const);
    return [{ url: url.slice(0, 500), domain, class: whose, position: i + 1 }];
  });
}

/** Without the sentence's signs behind it. A closing parenthesis belongs to an address that has an opening one. */
function withoutTail(url: string): string {
  let end = url.length;
  while (end > 0) {
    const last = url[end - 1] as string;
    const opened = url.slice(0, end).split("(").length;
    const closed = url.slice(0, end).split(")").length;
    if (!".,;:!?*_".includes(last) && !(last === ")" && closed > opened)) break;
    end--;
  }
  return url.slice(0, end);
}
