import { DE, EN, NL } from "./germanic.ts";
import { JA, PL, RU } from "./others.ts";
import { ES, FR, IT } from "./romance.ts";
import { SECOND_JA, SECOND_PL, SECOND_RU } from "./second-east.ts";
import { SECOND_ES, SECOND_FR, SECOND_IT, SECOND_PT } from "./second-south.ts";
import { SECOND_DE, SECOND_EN, SECOND_NL } from "./second-west.ts";

export interface LabelledSentence {
  readonly lang: string;
  readonly label: "recommended" | "mentioned" | "warned" | "unknown" | "absent";
  readonly brand: string;
  readonly text: string;
}

const SETS = { en: EN, de: DE, nl: NL, fr: FR, es: ES, it: IT, pl: PL, ru: RU, ja: JA };

const SECOND = {
  en: SECOND_EN,
  de: SECOND_DE,
  nl: SECOND_NL,
  fr: SECOND_FR,
  es: SECOND_ES,
  it: SECOND_IT,
  pt: SECOND_PT,
  pl: SECOND_PL,
  ru: SECOND_RU,
  ja: SECOND_JA,
};

export const LABELLED: readonly LabelledSentence[] = [...sentencesOf(SETS), ...sentencesOf(SECOND)];

export function sentencesOf(sets: Readonly<Record<string, string>>): LabelledSentence[] {
  return Object.entries(sets).flatMap(([lang, lines]) =>
    lines
      .trim()
      .split("\n")
      .map((line) => {
        const [label = "", brand = "", text = ""] = line.split(" | ");
        return { lang, label: label as LabelledSentence["label"], brand, text: text.replaceAll("\\n", "\n") };
      }),
  );
}
