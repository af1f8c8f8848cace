import type { Prompt } from "../api/shapes.ts";

/** For whom a prompt is asked: each locale and each persona asks every prompt. */
export interface PromptDimensions {
  readonly locales?: readonly string[] | undefined;
  readonly personas?: readonly string[] | undefined;
}

/** Every prompt for every locale and persona. Without either the prompts stay as they are. */
export function variantsOf(prompts: readonly Prompt[], { locales, personas }: PromptDimensions): Prompt[] {
  if (!locales?.length && !personas?.length) return [...prompts];
  const places = locales?.length ? locales : [undefined];
  const people = personas?.length ? personas : [undefined];
  return prompts
    .flatMap((prompt) => places.flatMap((locale) => people.map((persona) => variant(prompt, locale, persona))))
    .map((prompt, i) => ({ ...prompt, id: `p${i + 1}` }));
}

function variant(prompt: Prompt, locale: string | undefined, persona: string | undefined): Prompt {
  const country = locale === undefined ? undefined : countryOf(locale, prompt.lang);
  const words = [persona, prompt.text, country === undefined ? undefined : `(${country})`];
  return {
    ...prompt,
    text: words.filter((part) => part !== undefined).join(" "),
    ...(locale !== undefined && { locale }),
    ...(persona !== undefined && { persona }),
  };
}

/** The country of a locale in the language of the prompt: `de-AT` is Österreich. */
function countryOf(locale: string, lang: string): string | undefined {
  const { region } = new Intl.Locale(locale);
  return region === undefined ? undefined : new Intl.DisplayNames([lang], { type: "region" }).of(region);
}
