// What `@millrace/sites` gives: the library, and the workload for `millrace serve --load`.

import type { AnalyseOptions, Analysis } from "./library/types.ts";

export type { Report } from "./api/report.ts";
export type { SiteProfile } from "./api/shapes.ts";
export { AnalyseError, type AnalyseErrorOptions } from "./library/error.ts";
export { toCsv, toHtml } from "./library/forms.ts";
export type { AnalyseOptions, AnalyseProgress, Analysis, ProviderOptions, Providers } from "./library/types.ts";
export { type HookedEngine, onSiteChanged, type SiteChange } from "./tracks/on-site-changed.ts";
export { sites, sites as default } from "./workload.ts";

/**
 * Reads a website, forms the questions of its customers and asks models about it, or answers from the site's own text where no
 * models are given: `const { report } = await analyse("example.com")`. The address must be public, unless `allow` names it. Throws an
 * `AnalyseError`.
 */
export async function analyse(url: string, options: AnalyseOptions = {}): Promise<Analysis> {
  // Loaded with the first call, because a process that serves the workload does not need it.
  const { analyseSite } = await import("./library/analyse.ts");
  return analyseSite(url, options);
}
