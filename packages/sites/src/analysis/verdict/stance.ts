// How an answer speaks of a brand where it names it, by rules on the clause that the name stands in. The same answer always
// gives the same. An optional judge replaces these rules by a model's reading.

import type { Mention } from "../matcher.ts";
import { COMPARED_BEFORE, NEGATES_RECOMMENDING, RECOMMENDS, REJECTED_BEFORE, UNKNOWN, WARNS } from "./stance-words.ts";

export const STANCES = ["recommended", "warned", "unknown", "mentioned"] as const;
export type Stance = (typeof STANCES)[number];

/** Of all the places where a brand is named; null if it is named nowhere. */
export function stanceOf(text: string, mentions: readonly Mention[]): Stance | null {
  if (mentions.length === 0) return null;
  const stances = mentions.map((mention) => stanceAt(text, mention));
  const count = (stance: Stance) => stances.filter((each) => each === stance).length;
  if (count("recommended") > count("warned")) return "recommended";
  if (count("warned") > 0) return "warned";
  return count("unknown") > 0 ? "unknown" : "mentioned";
}

/** Whether an answer says that the model does not know the brand of its prompt, without naming the brand. */
export function saysUnknown(text: string): boolean {
  return text.length < 600 && UNKNOWN.test(text);
}

function stanceAt(text: string, mention: Mention): Stance {
  const { clause, before, sentence, lead } = aroundOf(text, mention);
  if (UNKNOWN.test(clause) || (UNKNOWN.test(sentence) && !RECOMMENDS.test(clause))) return "unknown";
  if (REJECTED_BEFORE.test(before)) return "warned";
  const recommends = RECOMMENDS.test(clause);
  if (recommends && NEGATES_RECOMMENDING.test(clause)) return "warned";
  if (WARNS.test(clause) && !deniesWarning(clause)) return "warned";
  if (recommends && !COMPARED_BEFORE.test(before)) return "recommended";
  return lead !== undefined && RECOMMENDS.test(lead) && !NEGATES_RECOMMENDING.test(lead) ? "recommended" : "mentioned";
}

const DENIES =
  /(?<!\p{L})(?:no|never|without|not|hardly any|ne|keine?|nie|ohne|aucune?|jamais|sans|sin|ninguna?|nunca|senza|nessuna?|mai|sem|nenhuma?|geen|zonder|bez|żadnych|нет|без|никаких)[^\p{L}]+(?:\p{L}+[^\p{L}]+){0,2}?(?:complain|problem|hidden|scam|regret|disappoint|Beschwerden|Mängel|enttäusch|plaintes|déç|quejas|decepcion|lamentele|reclami|delus|queixas|klachten|teleurgesteld|skarg|rozczarow|жалоб|разочаров)|苦情(?:は|が)(?:ない|ありません)/iu;

function deniesWarning(clause: string): boolean {
  return DENIES.test(clause);
}

interface MentionContext {
  readonly sentence: string;
  readonly clause: string;
  /** The part of the clause before the name. */
  readonly before: string;
  /** The line that introduces the list that the name is in. */
  readonly lead: string | undefined;
}

const SENTENCE_END = /[.!?]["”»)]?\s+|[。！？؟]|\n+/gu;
/** Words whose point ends no sentence. */
const SHORTENED = /(?:^|[^\p{L}])(?:vs|e\.g|i\.e|St|Dr|Nr|No|z\. ?B|bzw|Inc|Ltd|Co|p\. ?ej|np|т\.е)\.\s*$/u;
/** Where a sentence turns to something else, which may be another brand. */
const TURN =
  /[;；]|(?:,|—|–|、|،)\s*(?=(?:but|while|whereas|though|although|however|and|or|aber|während|doch|jedoch|und|mais|tandis|alors|et|pero|mientras|aunque|y|ma|mentre|però|e|mas|enquanto|porém|maar|terwijl|en|ale|natomiast|lecz|a|но|а|однако|и|ただし|しかし|но|men|og|och)(?!\p{L}))|(?<=が、|けど、|しかし、|但|，)|\s(?=(?:but|whereas|aber|mais|pero|ma|mas|maar|ale|но)\s)/gu;

function aroundOf(text: string, { start, end }: Mention): MentionContext {
  const [from, to] = boundsOf(text, start, end, SENTENCE_END, SHORTENED);
  const sentence = text.slice(from, to);
  const [first, last] = boundsOf(sentence, start - from, end - from, TURN);
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const isListed = /^[\s>]*(?:[-*•]|\d{1,3}[.)]|#{1,6}|\|)[\s*_]*$/u.test(line);
  return {
    sentence,
    clause: sentence.slice(first, last),
    before: sentence.slice(first, start - from),
    lead: isListed ? leadOf(text.slice(0, start)) : undefined,
  };
}

function boundsOf(text: string, start: number, end: number, border: RegExp, except?: RegExp): [number, number] {
  let [from, to] = [0, text.length];
  for (const { 0: found, index } of text.matchAll(border)) {
    const at = index + found.length;
    if (except?.test(text.slice(Math.max(0, at - 8), at))) continue;
    if (at <= start) from = at;
    else if (index >= end) {
      to = at;
      break;
    }
  }
  return [from, to];
}

/** The last line before a list: it ends with a colon, or it is a heading. */
function leadOf(before: string): string | undefined {
  const lines = before.split("\n").slice(0, -1);
  const lead = lines.findLast((line) => line.trim() !== "" && !/^\s*(?:[-*•]|\d{1,3}[.)]|\|)/u.test(line));
  return lead !== undefined && (/[:：]\s*\**\s*$/u.test(lead) || /^#{1,6}\s/.test(lead)) ? lead : undefined;
}
