// How each model is asked. A run keeps the options that it began with, since they are part of what names its calls.

import type { ProviderSettings } from "./provider.ts";

export const EFFORTS = ["minimal", "low", "medium", "high"] as const;

export interface ModelOptions {
  /** The most tokens of an answer, those of its reasoning included. */
  maxOutputTokens: number;
  reasoningEffort?: (typeof EFFORTS)[number] | undefined;
  /** The model may search the web. Missing: it answers from memory. */
  webSearch?: true | undefined;
}

export type GivenModelOptions = Readonly<
  Record<string, { maxOutputTokens?: number | undefined; reasoningEffort?: ModelOptions["reasoningEffort"] }>
>;

/** The cap of runs that began before caps were stored. */
export const EARLIER_CAP = 800;

/** The options of each model: what the request says, or else the server's cap. */
export function optionsOfModels(
  models: readonly string[],
  given: GivenModelOptions | undefined,
  maxOutputTokens: number,
  webSearch = false,
): Record<string, ModelOptions> {
  return Object.fromEntries(
    models.map((ref) => {
      const own = given?.[ref];
      const effort = own?.reasoningEffort;
      return [
        ref,
        {
          maxOutputTokens: own?.maxOutputTokens ?? maxOutputTokens,
          ...(effort && { reasoningEffort: effort }),
          ...(webSearch && { webSearch: true as const }),
        },
      ];
    }),
  );
}

export function optionsOf(ref: string, all: Readonly<Record<string, ModelOptions>> | undefined): ModelOptions {
  return all?.[ref] ?? { maxOutputTokens: EARLIER_CAP };
}

/** As each provider of the SDK takes it. */
export function effortOf(type: ProviderSettings["type"], effort: NonNullable<ModelOptions["reasoningEffort"]>): object {
  if (type === "anthropic") return { effort: effort === "minimal" ? "low" : effort };
  return { reasoningEffort: effort };
}
