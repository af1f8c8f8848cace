// Stage 2: from the profile alone. What a model proposes and what templates make are held to the same rules, in code.

import { createHash } from "node:crypto";
import { brandMatcher, type Matcher } from "../analysis/matcher.ts";
import { termsOf } from "../analysis/terms.ts";
import type { Brand, Prompt, PromptSet, SiteProfile } from "../api/shapes.ts";
import { cleanText } from "../page/clean.ts";
import { isQuestion } from "../profile/questions.ts";
import { fromTemplates } from "./from-templates.ts";
import { type Intent, intentOf } from "./intents.ts";
import { judge, MOST_BRANDED, shortfallsOf } from "./rules.ts";
import { TEMPLATES } from "./templates/templates.ts";
import { type PromptDimensions, variantsOf } from "./variants.ts";

export interface PromptRequest extends PromptDimensions {
  prompts?: readonly string[] | undefined;
  promptCount: number;
  competitors?: readonly Brand[] | undefined;
}

export type PromptCandidate = Omit<Prompt, "id" | "branded">;

export function formPrompts(
  profile: SiteProfile,
  request: PromptRequest,
  proposed: readonly PromptCandidate[] = [],
): PromptSet {
  const names = brandMatcher(profile.brand);
  const rivals = rivalsOf(profile, request.competitors ?? []);
  if (request.prompts) return ownPrompts(profile, request, { texts: request.prompts, rivals, names });
  const count = request.promptCount;
  const most = { count, branded: Math.floor(count * MOST_BRANDED) };
  const formed = [...byTurns(proposed), ...byTurns([...fromTemplates(profile, rivals), ...fromHeadings(profile)])];
  const { prompts: judged, rejected } = judge(formed, names, most);
  const prompts = withFewBranded(judged);
  const doubts = doubtsOf(profile, prompts);
  return { ...setOf(variantsOf(prompts, request), rivals, rejected, count), ...(doubts.length > 0 && { doubts }) };
}

/** In a short set, fewer branded prompts are 30 % of it. One may always stay. */
function withFewBranded(prompts: readonly Prompt[]): Prompt[] {
  const unbranded = prompts.filter(({ branded }) => !branded).length;
  let room = Math.max(1, Math.floor((unbranded * MOST_BRANDED) / (1 - MOST_BRANDED)));
  return prompts.filter(({ branded }) => !branded || room-- > 0).map((prompt, i) => ({ ...prompt, id: `p${i + 1}` }));
}

/** With fewer unbranded prompts a run measures next to nothing. */
const LEAST_UNBRANDED = 3;

/** Why the prompts may be wrong. An empty or walled site has a doubt of its own, whatever was formed. */
function doubtsOf({ site, coverage }: SiteProfile, prompts: readonly Prompt[]): string[] {
  const unbranded = prompts.filter(({ branded }) => !branded);
  const isForeign = TEMPLATES[site.lang] === undefined;
  return [
    ...(coverage.note === undefined ? [] : [WALLS[coverage.note]]),
    ...(isForeign && !prompts.some(({ origin }) => origin.startsWith("model:"))
      ? [`There are no templates for the language "${site.lang}"; its prompts need a model.`]
      : []),
    ...(unbranded.length < LEAST_UNBRANDED && coverage.note === undefined
      ? [`The pages do not say plainly what is offered: only ${unbranded.length} prompts do not name the brand.`]
      : []),
  ];
}

const WALLS: Readonly<Record<NonNullable<SiteProfile["coverage"]["note"]>, string>> = {
  "needs-javascript": "The pages are empty until JavaScript runs.",
  "little-text": "The site has too little text to tell what it offers.",
  challenge: "A bot check came instead of the pages.",
  "consent-wall": "The only readable text is a cookie notice.",
};

/** A person's own prompts are taken as they are, as long as they can be asked at all. */
function ownPrompts(
  profile: SiteProfile,
  request: PromptRequest,
  { texts, rivals, names }: { texts: readonly string[]; rivals: Brand[]; names: Matcher },
): PromptSet {
  const lang = profile.site.lang;
  const candidates = texts.map((text) => ({
    text: cleanText(text),
    intent: intentOf(text),
    lang: langOfOwn(text, lang),
    origin: "user",
    basis: [],
  }));
  const { prompts, rejected } = judge(candidates, names, { count: texts.length, branded: texts.length, own: true });
  return setOf(variantsOf(prompts, request), rivals, rejected, prompts.length);
}

/** A person may ask in another language than the site's: only the letters must fit. */
function langOfOwn(text: string, lang: string): string {
  return /\p{Script=Latin}/u.test(text) ? "en" : lang;
}

function setOf(prompts: Prompt[], rivals: Brand[], rejected: PromptSet["rejected"], wanted: number): PromptSet {
  return { hash: promptSetHash(prompts), prompts, rivals, rejected, shortfalls: shortfallsOf(prompts, wanted) };
}

/** Of the questions alone and in any order: two runs with the same hash can be compared. */
export function promptSetHash(prompts: readonly Pick<Prompt, "text">[]): string {
  const texts = prompts.map(({ text }) => text).sort();
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 32);
}

function rivalsOf(profile: SiteProfile, given: readonly Brand[]): Brand[] {
  const named = profile.rivalsNamed.map(({ name }) => ({ name, aliases: [], domains: [] }));
  const known = new Set(given.map(({ name }) => name.toLowerCase()));
  return [...given, ...named.filter(({ name }) => !known.has(name.toLowerCase()))].slice(0, 10);
}

/** Intents take turns, so that the first ten of a set cover all of them. */
function byTurns(candidates: readonly PromptCandidate[]): PromptCandidate[] {
  const queues = Map.groupBy(candidates, ({ intent }) => intent);
  const turns: PromptCandidate[] = [];
  while (turns.length < candidates.length) {
    for (const intent of ORDER) {
      const next = queues.get(intent)?.shift();
      if (next) turns.push(next);
    }
  }
  return turns;
}

const ORDER: readonly Intent[] = ["category", "purchase", "comparison", "problem", "fact"];

/** A site's own question headings are its customers' questions; those that say "you" or "my" make no sense elsewhere. */
function fromHeadings(profile: SiteProfile): PromptCandidate[] {
  const { lang } = profile.site;
  return profile.pages.flatMap(({ url, headings }) =>
    headings
      .filter((text) => isQuestion(text) && !SPEAKS.test(text) && text.split(/\s+/).length >= LEAST_HEADING_WORDS)
      .filter((text) => isAboutOffer(text, profile))
      .map((text) => ({ text, intent: intentOf(text), lang, origin: "template", basis: [{ url, quote: text }] })),
  );
}

const LEAST_HEADING_WORDS = 4;
/** Words for the speaker and the reader. */
const SPEAKS =
  /(?<!\p{L})(?:you|your|yours|we|our|us|my|me|i|it|this|these|that|they|sie|ihr\w*|wir|uns\w*|ich|mein\w*|du|dein\w*|das|dies\w*|es|je|mon|ma|mes|nous|notre|nos|vous|votre|vos|ce|cela|ça|yo|mi|mis|nosotros|nuestr\w*|usted\w*|su|sus|tu|tus|io|mio|mia|noi|nostr\w*|vostr\w*|il tuo|ik|mijn|wij|ons|onze|jij|jullie|uw|dit|dat)(?!\p{L})/iu;

/** Of a question heading only one that says what it is about makes sense elsewhere: "How long does delivery take?" does not. */
function isAboutOffer(text: string, { offer, site }: SiteProfile): boolean {
  const terms = new Set(termsOf(text, site.lang));
  return (offer.subjects ?? offer.keyphrases.slice(0, 5)).some((subject) => {
    const own = termsOf(subject.text, site.lang);
    return own.length > 0 && own.every((term) => terms.has(term));
  });
}
