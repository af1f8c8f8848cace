import { EASTERN } from "./eastern.ts";
import { NORTHERN } from "./northern.ts";
import type { Template } from "./template.ts";
import { WESTERN } from "./western.ts";

/** Whole questions as a customer would put them to an assistant, by language. Prompts in other languages need a model. */
export const TEMPLATES: Readonly<Record<string, readonly Template[]>> = { ...WESTERN, ...NORTHERN, ...EASTERN };

/** The words of a language's questions without their gaps: they say how a question is asked, not what about. */
export function askingText(lang: string): string {
  return (TEMPLATES[lang] ?? []).map(({ text }) => text.replaceAll(/\{\w+\}/g, " · ")).join("\n");
}
