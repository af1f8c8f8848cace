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
import { botsAreServed } from "./readiness/bot-access.ts";
import type { CheckFacts, CheckVerdict } from "./readiness/check.ts";
import { freshness, nameConsistent, questions, textWithoutScripts } from "./readiness/content.ts";
import { organisation, structuredData } from "./readiness/structured-data.ts";
import { structuredFields } from "./readiness/structured-fields.ts";

/** Can the site be fetched, understood and quoted by machines: each check with what was seen and what to do. */
export function readinessOf(seen: CheckFacts): ReadinessCheck[] {
  const checks = seen.crawl.access === undefined ? CHECKS : [...CHECKS, ACCESS];
  return checks.map(([id, label, check]) => ({ id, label, evidence: [], ...check(seen) }));
}

type Check = readonly [id: string, label: string, check: (seen: CheckFacts) => CheckVerdict];

const ACCESS: Check = ["bot-access", "AI bots get the first page in fact", botsAreServed];

const CHECKS: readonly Check[] = [
  ["reachable", "The first page responds", reachable],
  ["https", "Served over HTTPS", https],
  ["indexable", "Can be indexed", (seen) => robotsTags(seen, /^(?:noindex|none)$/, "noindex")],
  ["snippets", "Can be quoted", (seen) => robotsTags(seen, /^(?:nosnippet|max-snippet:\s*0)$/, "nosnippet")],
  ["citation-bots", "AI search bots are allowed", (seen) => bots(seen, CITATION_BOTS, "fail")],
  ["training-bots", "AI training bots are allowed", (seen) => bots(seen, TRAINING_BOTS, "warn")],
  ["sitemap", "Has a sitemap", sitemap],
  ["canonical", "Pages have a canonical address", canonical],
  [
    "title",
    "Pages have a clear title",
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
    "Pages have a description",
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
  ["structured-data", "Structured data is valid", structuredData],
  ["structured-fields", "Structured data has what answers quote", structuredFields],
  ["organisation", "Structured data describes the organisation", organisation],
  ["name", "Uses one name", nameConsistent],
  ["questions", "Answers questions under question headings", questions],
  ["freshness", "Pages show when they were changed", freshness],
  ["text", "Has text without JavaScript", textWithoutScripts],
  [
    "llms-txt",
    "llms.txt",
    ({ crawl }) => ({
      status: "n/a",
      finding: crawl.llmsTxt
        ? "The site has an llms.txt. It is not known to matter."
        : "There is no llms.txt. None is needed.",
    }),
  ],
];
