import type { Intent } from "../intents.ts";

/** A gap in a question: the offer, its customers, its place, a rival or the brand. */
export type Gap = "what" | "who" | "where" | "rival" | "brand";

/** A question with gaps: `{what}` within a sentence, `{What}` at its beginning. */
export interface Template {
  readonly intent: Intent;
  readonly text: string;
  readonly gaps: readonly Gap[];
  /** Only for sites that sell goods: a service is not ordered online. */
  readonly goods: boolean;
}

/** One template per line: `intent: question`. `intent+: question` is for goods alone. */
export function templatesOf(lines: string): readonly Template[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const [, intent, goods, text = ""] = /^\s*(\w+)(\+?): (.+)$/.exec(line) ?? [];
      const gaps = [...text.matchAll(/\{(\w+)\}/g)].map(([, gap = ""]) => gap.toLowerCase() as Gap);
      return { intent: intent as Intent, text, gaps: [...new Set(gaps)], goods: goods === "+" };
    });
}
