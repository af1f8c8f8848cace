import { DE, EN, NL } from "./germanic.ts";
import { JA, PL, RU } from "./others.ts";
import { ES, FR, IT } from "./romance.ts";

export interface LabelledSentence {
  readonly lang: string;
  readonly label: "recommended" | "mentioned" | "warned" | "unknown" | "absent";
  readonly brand: string;
  readonly text: string;
}

const SETS = { en: EN, de: DE, nl: NL, fr: FR, es: ES, it: IT, pl: PL, ru: RU, ja: JA };

export const LABELLED: readonly LabelledSentence[] = Object.entries(SETS).flatMap(([lang, lines]) =>
  lines
    .trim()
    .split("\n")
    .map((line) => {
      const [label = "", brand = "", text = ""] = line.split(" | ");
      return { lang, label: label as LabelledSentence["label"], brand, text: text.replaceAll("\\n", "\n") };
    }),
);
