import type { Brand, Evidence, SiteProfile } from "../api/shapes.ts";
import type { PromptCandidate } from "./form.ts";
import type { Gap, Template } from "./templates/template.ts";
import { TEMPLATES } from "./templates/templates.ts";

interface GapValue {
  readonly text: string;
  readonly evidence?: Evidence;
}

/** Questions about each offer, the surest offer first. Empty if the language has no templates. */
export function fromTemplates(profile: SiteProfile, rivals: readonly Brand[]): PromptCandidate[] {
  const { offer, brand, site } = profile;
  const templates = (TEMPLATES[site.lang] ?? []).filter(({ goods }) => !goods || offer.goods === true);
  const subjects: readonly GapValue[] =
    offer.subjects ?? offer.keyphrases.filter(({ text }) => isAskable(text)).slice(0, 3);
  const others: Omit<Record<Gap, readonly GapValue[]>, "what"> = {
    who: offer.audiences.slice(0, 3),
    where: offer.places.filter(({ text }) => text.length <= 40).slice(0, 3),
    rival: rivals.map(({ name }) => ({ text: name })),
    brand: [{ text: brand.name, evidence: brand.evidence }],
  };
  // Within an intent, template and offer change together: the first few questions are about different things.
  return [...Map.groupBy(templates, ({ intent }) => intent).values()].flatMap((group) => {
    const rounds = Math.max(1, subjects.length);
    return Array.from({ length: group.length * rounds }, (_, i) => {
      const turn = i + Math.floor(i / group.length);
      const what = subjects[turn % rounds];
      return filled(group[i % group.length] as Template, { ...others, what: what ? [what] : [] }, site.lang, i);
    }).flat();
  });
}

function isAskable(phrase: string): boolean {
  return phrase.length >= 3 && phrase.length <= 50 && !/\d/.test(phrase);
}

function filled(
  { text, intent, gaps }: Template,
  fillings: Readonly<Record<Gap, readonly GapValue[]>>,
  lang: string,
  turn: number,
): PromptCandidate[] {
  const basis: Evidence[] = [];
  let question = text;
  for (const gap of gaps) {
    const choices = fillings[gap];
    const choice = choices[turn % (choices.length || 1)];
    if (!choice) return [];
    const inside = gap === "what" ? inSentence(choice.text, lang) : choice.text;
    // As replacement functions: a "$" in a name is no pattern.
    question = question.replaceAll(`{${gap}}`, () => inside).replaceAll(`{${capital(gap)}}`, () => capital(inside));
    if (choice.evidence) basis.push(choice.evidence);
  }
  return [{ text: question, intent, lang, origin: "template", basis }];
}

/** "Cargo bike leasing" in a sentence: "cargo bike leasing". German nouns and abbreviations keep their capitals. */
function inSentence(phrase: string, lang: string): string {
  if (lang === "de") return phrase;
  const words = phrase.split(" ");
  const isTitle = words.length > 1 && words.every((word) => /^\p{Lu}\p{Ll}|^\p{Ll}/u.test(word));
  const plain = isTitle || /^\p{Lu}\p{Ll}/u.test(phrase) ? words.map((word) => lowered(word)) : words;
  return plain.join(" ");
}

function lowered(word: string): string {
  return /^\p{Lu}[\p{Ll}'’-]*$/u.test(word) ? word.toLowerCase() : word;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
