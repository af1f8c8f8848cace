import type { ReadinessCheck } from "../api/shapes.ts";
import {
  bots,
  CITATION_BOTS,
  canonical,
  https,
  reachable,
  robotsTags,
  share,
  sitemap,
  TRAINING_BOTS,
} from "./readiness/access.ts";
import type { Seen, Verdict } from "./readiness/check.ts";
import { freshness, nameConsistent, questions, textWithoutScripts } from "./readiness/content.ts";
import { organisation, structuredData } from "./readiness/structured-data.ts";

/** Can the site be fetched, understood and quoted by machines: each check with what was seen and what to do. */
export function readinessOf(seen: Seen): ReadinessCheck[] {
  return CHECKS.map(([id, label, check]) => ({ id, label, evidence: [], ...check(seen) }));
}

const CHECKS: readonly [string, string, (seen: Seen) => Verdict][] = [
  ["reachable", "The first page answers", reachable],
  ["https", "Served over HTTPS", https],
  ["indexable", "May be listed", (seen) => robotsTags(seen, /^(?:noindex|none)$/, "noindex")],
  ["snippets", "May be quoted", (seen) => robotsTags(seen, /^(?:nosnippet|max-snippet:\s*0)$/, "nosnippet")],
  ["citation-bots", "Assistants' search bots may read it", (seen) => bots(seen, CITATION_BOTS, "fail")],
  ["training-bots", "Training bots may read it", (seen) => bots(seen, TRAINING_BOTS, "warn")],
  ["sitemap", "Has a sitemap", sitemap],
  ["canonical", "Pages name their address", canonical],
  [
    "title",
    "Pages have a telling title",
    (seen) =>
      share(
        seen,
        "a title of 10 to 70 characters",
        ({ title }) => title.length >= 10 && title.length <= 70,
        "Give each page its own title: what it is, then the name.",
      ),
  ],
  [
    "description",
    "Pages describe themselves",
    (seen) =>
      share(
        seen,
        "a description of 50 characters or more",
        ({ description }) => description.length >= 50,
        "Write one or two sentences per page into <meta name=description>.",
      ),
  ],
  [
    "h1",
    "Pages have one main heading",
    (seen) =>
      share(
        seen,
        "exactly one <h1>",
        ({ headings }) => headings.filter(({ level }) => level === 1).length === 1,
        "Use one <h1> that says what the page answers.",
      ),
  ],
  ["structured-data", "Structured data can be read", structuredData],
  ["organisation", "Says who it is in structured data", organisation],
  ["name", "Uses one name for itself", nameConsistent],
  ["questions", "Answers questions under question headings", questions],
  ["freshness", "Says when it was changed", freshness],
  ["text", "Has text without JavaScript", textWithoutScripts],
  [
    "llms-txt",
    "llms.txt",
    ({ crawl }) => ({
      status: "n/a",
      finding: crawl.llmsTxt
        ? "There is an llms.txt. It is not known to matter."
        : "There is no llms.txt. None is needed.",
    }),
  ],
];
