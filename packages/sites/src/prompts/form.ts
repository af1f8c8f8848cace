// Stage 2: from the profile alone. What a model proposes and what templates make are held to the same rules, in code.

import { createHash } from "node:crypto";
import { brandMatcher, type Matcher } from "../analysis/matcher.ts";
import type { Brand, Evidence, Prompt, PromptSet, SiteProfile } from "../api/shapes.ts";
import { cleanText } from "../page/clean.ts";
import { isQuestion } from "../profile/questions.ts";
import { judge, MOST_BRANDED, shortfallsOf } from "./rules.ts";
import { type Intent, intentOf, TEMPLATES, type Template } from "./templates.ts";

export interface PromptRequest {
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
  if (request.prompts) return ownPrompts(profile, request.prompts, rivals, names);
  const count = request.promptCount;
  const most = { count, branded: Math.floor(count * MOST_BRANDED) };
  const candidates = [...byTurns(proposed), ...byTurns([...fromTemplates(profile, rivals), ...fromHeadings(profile)])];
  const { prompts, rejected } = judge(candidates, names, most);
  return setOf(prompts, rivals, rejected, count);
}

/** A person's own prompts are taken as they are, as long as they can be asked at all. */
function ownPrompts(profile: SiteProfile, texts: readonly string[], rivals: Brand[], names: Matcher): PromptSet {
  const lang = profile.site.lang;
  const candidates = texts.map((text) => ({
    text: cleanText(text),
    intent: intentOf(text),
    lang: /\p{Script=Latin}/u.test(text) ? "en" : lang,
    origin: "user",
    basis: [],
  }));
  const { prompts, rejected } = judge(candidates, names, { count: texts.length, branded: texts.length, own: true });
  return setOf(prompts, rivals, rejected, prompts.length);
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

interface Fillings {
  phrase: SlotValue[];
  audience: SlotValue[];
  place: SlotValue[];
  rival: SlotValue[];
  brand: SlotValue[];
}
type SlotValue = { text: string; evidence?: Evidence };

function fromTemplates(profile: SiteProfile, rivals: readonly Brand[]): PromptCandidate[] {
  const lang = TEMPLATES[profile.site.lang] ? profile.site.lang : "en";
  const templates = TEMPLATES[lang] as readonly Template[];
  const { offer, brand } = profile;
  const taken = new Set([...offer.audiences, ...offer.places].map(({ text }) => text.toLowerCase()));
  const phrases = [...offer.keyphrases.filter(({ text }) => isAskable(text)), ...offer.categories]
    .filter(({ text }) => {
      const isNew = !taken.has(text.toLowerCase());
      taken.add(text.toLowerCase());
      return isNew;
    })
    .slice(0, MOST_PHRASES);
  const fillings: Fillings = {
    phrase: phrases.map(({ text, evidence }) => ({ text: lower(text, lang), evidence })),
    audience: offer.audiences,
    place: offer.places,
    rival: rivals.map(({ name }) => ({ text: name })),
    brand: [{ text: brand.name, evidence: brand.evidence }],
  };
  // Of each intent, template and phrase change together: the first few questions are about different things.
  return [...Map.groupBy(templates, ({ intent }) => intent).values()].flatMap((group) =>
    Array.from({ length: group.length * fillings.phrase.length }, (_, i) => {
      const turn = i + Math.floor(i / group.length);
      const phrase = fillings.phrase[turn % fillings.phrase.length] as SlotValue;
      return filled(group[i % group.length] as Template, { ...fillings, phrase: [phrase] }, { lang, turn: i });
    }).flat(),
  );
}

/** Further down the list phrases grow odd. */
const MOST_PHRASES = 6;

function filled(
  template: Template,
  fillings: Fillings,
  { lang, turn }: { lang: string; turn: number },
): PromptCandidate[] {
  const basis: Evidence[] = [];
  let text = template.text;
  for (const name of ["phrase", "audience", "place", "rival", "brand"] as const) {
    if (!text.includes(`{${name}}`)) continue;
    const choices = fillings[name];
    const choice = choices[turn % (choices.length || 1)];
    if (!choice) return [];
    text = text.replaceAll(`{${name}}`, choice.text);
    if (choice.evidence) basis.push(choice.evidence);
  }
  return [{ text, intent: template.intent, lang, origin: "template", basis }];
}

/** A site's own question headings are its customers' questions; those that say "you" or "my" make no sense elsewhere. */
function fromHeadings(profile: SiteProfile): PromptCandidate[] {
  const { lang } = profile.site;
  return profile.pages.flatMap(({ url, headings }) =>
    headings
      .filter(
        (text) =>
          isQuestion(text) && !/\b(?:you|your|we|our|us|my|me|I|Sie|Ihr\w*|wir|uns\w*|ich|mein\w*)\b/u.test(text),
      )
      .filter((text) => text.length >= 15)
      .map((text) => ({ text, intent: intentOf(text), lang, origin: "template", basis: [{ url, quote: text }] })),
  );
}

function isAskable(phrase: string): boolean {
  return phrase.length >= 3 && phrase.length <= 50 && !/\d/.test(phrase);
}

/** "Cargo bike leasing" in a sentence: "cargo bike leasing". German nouns and names keep their capitals. */
function lower(phrase: string, lang: string): string {
  if (lang === "de" || /\p{Lu}.*\s\p{Lu}|^\p{Lu}{2}/u.test(phrase)) return phrase;
  return phrase.charAt(0).toLowerCase() + phrase.slice(1);
}
