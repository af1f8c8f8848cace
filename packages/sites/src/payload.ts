import type { z } from "zod";
import { SiteRequest } from "./api/site-shapes.ts";
import { JobId, Text } from "./api/wire.ts";
import { registrableDomain } from "./crawl/links.ts";
import { FetchFault } from "./fetch/fault.ts";
import { checkTarget } from "./fetch/target.ts";
import type { SiteSettings } from "./settings.ts";

/** Most calls of one run: each is two steps, and all of them are in one report. */
export const MOST_CALLS = 1_000;

export const MOST_PROMPTS = 100;

/** How many times each prompt is asked with another locale or persona. */
function dimensionsOf({
  locales,
  personas,
}: {
  locales?: unknown[] | undefined;
  personas?: unknown[] | undefined;
}): number {
  return (locales?.length ?? 1) * (personas?.length ?? 1);
}

/** What a job of this kind carries: the request, held to what the operator allows. */
export function sitePayload(settings: Pick<SiteSettings, "policy" | "models">) {
  return SiteRequest.extend({
    track: Text(64).optional().meta({ description: "The track that this run belongs to." }),
    missingOf: JobId.optional().meta({ description: "Repeats only the model calls that this earlier run is missing." }),
  }).superRefine((request, check) => {
    const fault = urlFault(request.url, settings);
    if (fault !== undefined) check.addIssue({ code: "custom", path: ["url"], message: fault });
    const models = modelsOf(request, settings);
    const unknown = models.find((model) => !settings.models.includes(model));
    if (unknown !== undefined)
      check.addIssue({ code: "custom", path: ["models"], message: unknownModel(unknown, settings.models) });
    const { judge } = request;
    if (judge !== undefined && !settings.models.includes(judge))
      check.addIssue({ code: "custom", path: ["judge"], message: unknownModel(judge, settings.models) });
    for (const ref of Object.keys(request.modelOptions ?? {})) {
      if (!models.includes(ref) && ref !== judge)
        check.addIssue({ code: "custom", path: ["modelOptions", ref], message: `${ref} is not a model of this run` });
    }
    if (new Set(models).size < models.length)
      check.addIssue({ code: "custom", path: ["models"], message: "names a model twice" });
    const prompts = (request.prompts?.length ?? request.promptCount) * dimensionsOf(request);
    if (prompts > MOST_PROMPTS) {
      check.addIssue({
        code: "custom",
        path: [request.locales ? "locales" : request.personas ? "personas" : "prompts"],
        message: `prompts × locales × personas are ${prompts}; a run can have at most ${MOST_PROMPTS} prompts`,
      });
    }
    const calls = prompts * models.length * request.samples * (judge === undefined ? 1 : 2);
    if (calls > MOST_CALLS) {
      const what =
        judge === undefined ? "prompts × models × samples are" : "with a judge, prompts × models × samples × 2 are";
      check.addIssue({
        code: "custom",
        path: ["samples"],
        message: `${what} ${calls} calls; a run can have at most ${MOST_CALLS}`,
      });
    }
  });
}

export type SitePayload = z.output<ReturnType<typeof sitePayload>>;

/** Those asked for, or all that are offered. */
export function modelsOf(
  request: { models?: readonly string[] | undefined },
  { models }: Pick<SiteSettings, "models">,
): string[] {
  return [...(request.models ?? models.slice(0, 5))];
}

/** `example.com` is meant as `https://example.com/`. */
export function siteUrl(text: string): string {
  const trimmed = text.trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[\w.-]+:\d+(?:\/|$)/.test(trimmed) ? trimmed : `https://${trimmed}`;
}

function urlFault(text: string, { policy }: Pick<SiteSettings, "policy">): string | undefined {
  try {
    checkTarget(siteUrl(text), policy);
    return undefined;
  } catch (error) {
    if (!(error instanceof FetchFault)) throw error;
    return error.code === "blocked-address" ? `${error.message} An operator can allow it (SITE_ALLOW).` : error.message;
  }
}

/** The site, however its address is written: one run at a time. */
export function siteKey(text: string): string {
  const { hostname, port } = new URL(siteUrl(text));
  return port === "" ? registrableDomain(hostname) : `${registrableDomain(hostname)}:${port}`;
}

function unknownModel(model: string, offered: readonly string[]): string {
  return offered.length === 0
    ? `${model} is not available: this server has no models (SITE_MODELS)`
    : `${model} is not available. Available: ${offered.join(", ")}`;
}
