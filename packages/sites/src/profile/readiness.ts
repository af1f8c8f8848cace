import type { Evidence, ReadinessCheck, SiteProfile } from "../api/shapes.ts";
import type { Crawl } from "../crawl/crawl.ts";
import type { KeptPage } from "../crawl/page.ts";
import { robotsOf } from "../crawl/robots.ts";
import { clip } from "../page/clean.ts";
import { ORGANISATION, ofType, quoteOf, readJsonLd } from "./json-ld.ts";
import { isQuestion } from "./questions.ts";

interface Seen {
  crawl: Crawl;
  brand: SiteProfile["brand"];
  now: number;
}

type Verdict = Omit<ReadinessCheck, "id" | "label" | "evidence"> & { evidence?: Evidence[] };

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
  [
    "canonical",
    "Pages name their address",
    (seen) => share(seen, "a canonical address", ({ canonical }) => canonical !== "", CANONICAL_FIX),
  ],
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

const CANONICAL_FIX = "Add <link rel=canonical> with the page's own address.";
const CITATION_BOTS = [
  "OAI-SearchBot",
  "ChatGPT-User",
  "PerplexityBot",
  "Claude-SearchBot",
  "Claude-User",
  "Bingbot",
  "Googlebot",
];
const TRAINING_BOTS = ["GPTBot", "ClaudeBot", "Google-Extended", "CCBot", "Applebot-Extended", "meta-externalagent"];

function reachable({ crawl: { home } }: Seen): Verdict {
  return { status: "pass", finding: `${home.url} answered ${home.status}.` };
}

function https({ crawl: { home } }: Seen): Verdict {
  if (home.url.startsWith("https:")) return { status: "pass", finding: "The first page came over HTTPS." };
  return {
    status: "fail",
    finding: `The first page came over plain HTTP: ${home.url}.`,
    fix: "Serve the site over HTTPS and redirect to it.",
  };
}

function robotsTags({ crawl: { pages } }: Seen, tag: RegExp, word: string): Verdict {
  const barred = pages.filter(({ robots }) => robots.some((each) => tag.test(each)));
  if (barred.length === 0) return { status: "pass", finding: `None of ${pagesOf(pages.length)} says ${word}.` };
  return {
    status: barred.some(({ role }) => role === "home") ? "fail" : "warn",
    finding: `${barred.length} of ${pagesOf(pages.length)} say ${word}.`,
    evidence: barred.slice(0, 3).map(({ url, robots }) => ({ url, quote: clip(robots.join(", "), 300) })),
    fix: `Take ${word} off the pages that should be found.`,
  };
}

function bots({ crawl }: Seen, names: readonly string[], blocked: "fail" | "warn"): Verdict {
  const rules = robotsOf(crawl.robots);
  const shut = names.filter((bot) => !rules.allows(crawl.home.url, bot));
  if (shut.length === 0) return { status: "pass", finding: `robots.txt lets all ${names.length} in.` };
  const training = blocked === "warn" ? " That is a choice, not a fault." : "";
  return {
    status: blocked,
    finding: `robots.txt shuts out ${shut.join(", ")}.${training}`,
    evidence: [{ url: `${crawl.robots.origin}/robots.txt`, quote: robotsQuote(crawl.robots.text) }],
    ...(blocked === "fail" && { fix: "Allow the bots that fetch pages to answer a user's question." }),
  };
}

/** Its first lines, on one. */
function robotsQuote(text: string): string {
  const lines = text
    .slice(0, 2_000)
    .split("\n")
    .map((line) => line.trim());
  return clip(lines.filter((line) => line !== "").join("; "), 300);
}

function sitemap({ crawl }: Seen): Verdict {
  if (crawl.sitemapPages) return { status: "pass", finding: `The sitemap names ${pagesOf(crawl.sitemapPages)}.` };
  return { status: "warn", finding: "No sitemap was found.", fix: "Publish /sitemap.xml and name it in robots.txt." };
}

function share({ crawl: { pages } }: Seen, what: string, good: (page: KeptPage) => boolean, fix: string): Verdict {
  const lacking = pages.filter((page) => !good(page));
  const finding = `${pages.length - lacking.length} of ${pagesOf(pages.length)} have ${what}.`;
  if (lacking.length === 0) return { status: "pass", finding };
  return {
    status: lacking.length > pages.length / 2 ? "fail" : "warn",
    finding,
    evidence: lacking.slice(0, 3).map(({ url, title }) => ({ url, quote: clip(title, 300) })),
    fix,
  };
}

function structuredData({ crawl: { pages } }: Seen): Verdict {
  const read = pages.map((page) => ({ page, ...readJsonLd(page.jsonLd) }));
  const broken = read.filter((each) => each.broken > 0);
  if (broken.length > 0) {
    return {
      status: "fail",
      finding: `${broken.length} of ${pagesOf(pages.length)} have structured data that is not valid JSON.`,
      evidence: broken.slice(0, 3).map(({ page }) => ({ url: page.url, quote: clip(page.jsonLd[0] ?? "", 300) })),
      fix: "Correct the JSON in the ld+json blocks.",
    };
  }
  const types = [...new Set(read.flatMap(({ things }) => things.flatMap((thing) => thing.types)))];
  if (types.length > 0) return { status: "pass", finding: `Found: ${clip(types.join(", "), 200)}.` };
  return {
    status: "warn",
    finding: "No structured data (JSON-LD) was found.",
    fix: "Describe the organisation and its products in JSON-LD.",
  };
}

function organisation({ crawl: { pages } }: Seen): Verdict {
  for (const page of pages) {
    const [thing] = ofType(readJsonLd(page.jsonLd).things, ORGANISATION);
    if (!thing) continue;
    const lacking = ["name", "url", "logo", "sameAs"].filter((field) => thing.fields[field] === undefined);
    const evidence = [{ url: page.url, quote: quoteOf(thing.fields) }];
    if (lacking.length === 0)
      return { status: "pass", finding: "Name, address, logo and profiles are given.", evidence };
    return {
      status: "warn",
      finding: `An organisation is described without ${lacking.join(", ")}.`,
      evidence,
      fix: `Add ${lacking.join(", ")}.`,
    };
  }
  return {
    status: "warn",
    finding: "No organisation is described.",
    fix: "Add an Organization with name, url, logo and sameAs.",
  };
}

function nameConsistent({ crawl: { home }, brand }: Seen): Verdict {
  const name = brand.name.toLowerCase();
  const places = { title: home.title, "og:site_name": home.siteName, "first heading": home.headings[0]?.text ?? "" };
  const named = Object.entries(places).filter(([, text]) => text.toLowerCase().includes(name));
  if (places.title.toLowerCase().includes(name)) {
    return {
      status: "pass",
      finding: `The first page's ${named.map(([where]) => where).join(", ")} says ${brand.name}.`,
    };
  }
  return {
    status: "warn",
    finding: `The first page's title does not say ${brand.name}.`,
    evidence: [{ url: home.url, quote: clip(home.title, 300) }],
    fix: "Use the same name in title, og:site_name and structured data.",
  };
}

function questions({ crawl: { pages } }: Seen): Verdict {
  const asked = pages.flatMap((page) =>
    page.headings
      .filter(({ text, aside }) => !aside && isQuestion(text))
      .map(({ text }) => {
        const answer = page.passages.find((passage) => passage.heading === text && passage.text.length >= 30);
        return { url: page.url, text, answered: answer !== undefined };
      }),
  );
  const answered = asked.filter((each) => each.answered);
  const evidence = answered.slice(0, 3).map(({ url, text }) => ({ url, quote: clip(text, 300) }));
  const finding =
    answered.length === 0
      ? "No question stands as a heading with an answer below."
      : `${answered.length} ${answered.length === 1 ? "question stands as a heading" : "questions stand as headings"} with an answer below.`;
  if (answered.length >= 3) return { status: "pass", finding, evidence };
  return {
    status: "warn",
    finding,
    evidence,
    fix: "Put customers' questions as headings and answer each in the first sentence below.",
  };
}

function pagesOf(count: number): string {
  return count === 1 ? "1 page" : `${count} pages`;
}

const YEAR_MS = 365 * 24 * 3_600_000;

function freshness({ crawl: { pages }, now }: Seen): Verdict {
  const dated = pages.flatMap((page) => page.dates.map((date) => ({ url: page.url, date })));
  const [latest] = dated.filter(({ date }) => Date.parse(date) <= now).sort((a, b) => (a.date < b.date ? 1 : -1));
  if (!latest)
    return {
      status: "warn",
      finding: "No page says when it was changed.",
      fix: "Show and mark up the date of the last change.",
    };
  const evidence = [{ url: latest.url, quote: latest.date }];
  if (now - Date.parse(latest.date) < YEAR_MS)
    return { status: "pass", finding: `The latest date is ${latest.date}.`, evidence };
  return {
    status: "warn",
    finding: `The latest date is ${latest.date}, more than a year ago.`,
    evidence,
    fix: "Review the pages and date them.",
  };
}

function textWithoutScripts({ crawl: { home, pages } }: Seen): Verdict {
  if (home.flags.includes("app-shell")) {
    return {
      status: "fail",
      finding: "The first page is empty until JavaScript runs; most bots see nothing.",
      fix: "Render the pages on the server.",
    };
  }
  const words = pages.reduce((sum, page) => sum + page.words, 0);
  const share =
    home.htmlChars === 0 ? 0 : home.passages.reduce((sum, { text }) => sum + text.length, 0) / home.htmlChars;
  const finding = `${words} words on ${pagesOf(pages.length)}; ${Math.round(share * 100)} % of the first page is text.`;
  if (home.words >= 100) return { status: "pass", finding };
  return { status: "warn", finding, fix: "Say in text what is offered, to whom and for how much." };
}
