import { sameSite } from "../../crawl/links.ts";
import type { KeptPage } from "../../crawl/page.ts";
import { canonicalOf } from "../../crawl/page.ts";
import { robotsOf } from "../../crawl/robots.ts";
import { partsOfTag } from "../../crawl/robots-tags.ts";
import { clip } from "../../page/clean.ts";
import { type CheckFacts, type CheckVerdict, pagesOf } from "./check.ts";

export const CITATION_BOTS = [
  "OAI-SearchBot",
  "ChatGPT-User",
  "PerplexityBot",
  "Claude-SearchBot",
  "Claude-User",
  "Bingbot",
  "Googlebot",
];
export const TRAINING_BOTS = [
  "GPTBot",
  "ClaudeBot",
  "Google-Extended",
  "CCBot",
  "Applebot-Extended",
  "meta-externalagent",
];

export function reachable({ crawl: { home } }: CheckFacts): CheckVerdict {
  if (home.challenge !== undefined) {
    return {
      status: "fail",
      finding: `${home.challenge} answered with a bot check instead of the first page (${home.status}).`,
      fix: `Allow known bots in the settings of ${home.challenge}. Assistants that fetch pages get the same check.`,
    };
  }
  return { status: "pass", finding: `${home.url} answered ${home.status}.` };
}

export function https({ crawl: { home } }: CheckFacts): CheckVerdict {
  if (home.url.startsWith("https:")) return { status: "pass", finding: "The first page came over HTTPS." };
  return {
    status: "fail",
    finding: `The first page came over plain HTTP: ${home.url}.`,
    fix: "Serve the site over HTTPS and redirect to it.",
  };
}

export function robotsTags({ crawl: { pages } }: CheckFacts, tag: RegExp, word: string): CheckVerdict {
  const tagged = pages.map((page) => ({
    page,
    fitting: page.robots.map(partsOfTag).filter((each) => tag.test(each.tag)),
  }));
  const barred = tagged.filter(({ fitting }) => fitting.length > 0);
  if (barred.length === 0) return { status: "pass", finding: `None of ${pagesOf(pages.length)} says ${word}.` };
  const bots = [...new Set(barred.flatMap(({ fitting }) => fitting.map(({ agent }) => agent)))];
  const toWhom = bots.includes(undefined) ? "" : ` to ${bots.join(", ")}`;
  return {
    status: barred.some(({ page }) => page.role === "home") ? "fail" : "warn",
    finding: `${barred.length} of ${pagesOf(pages.length)} say ${word}${toWhom}.`,
    evidence: barred.slice(0, 3).map(({ page }) => ({ url: page.url, quote: clip(page.robots.join(", "), 300) })),
    fix: `Remove ${word} from the pages that should be found.`,
  };
}

export function bots({ crawl }: CheckFacts, names: readonly string[], blocked: "fail" | "warn"): CheckVerdict {
  const rules = robotsOf(crawl.robots);
  const shut = names.filter((bot) => !rules.allows(crawl.home.url, bot));
  if (shut.length === 0) return { status: "pass", finding: `robots.txt allows all ${names.length} bots.` };
  const training = blocked === "warn" ? " This is a choice, not an error." : "";
  return {
    status: blocked,
    finding: `robots.txt blocks ${shut.join(", ")}.${training}`,
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

export function sitemap({ crawl }: CheckFacts): CheckVerdict {
  if (crawl.sitemap) {
    const { total, isCut } = crawl.sitemap;
    return { status: "pass", finding: `The sitemap lists ${isCut ? "at least " : ""}${pagesOf(total)}.` };
  }
  return { status: "warn", finding: "No sitemap was found.", fix: "Publish /sitemap.xml and name it in robots.txt." };
}

/** A page that names another site as its origin is left out of every index. */
export function canonical(seen: CheckFacts): CheckVerdict {
  const { pages, home } = seen.crawl;
  const away = pages.filter((page) => {
    const named = canonicalOf(page);
    return named !== undefined && !sameSite(named, new URL(home.url));
  });
  if (away.length === 0) return share(seen, "a canonical address", (page) => page.canonical !== "", CANONICAL_FIX);
  return {
    status: "fail",
    finding: `${away.length} of ${pagesOf(pages.length)} ${away.length === 1 ? "has" : "have"} a canonical link to another site.`,
    evidence: away.slice(0, 3).map((page) => ({ url: page.url, quote: clip(page.canonical, 300) })),
    fix: "Set <link rel=canonical> to the page's own address, unless search engines should show the other site.",
  };
}

const CANONICAL_FIX = "Add <link rel=canonical> with the page's own address.";

export function share(
  { crawl: { pages } }: CheckFacts,
  what: string,
  good: (page: KeptPage) => boolean,
  fix: string,
): CheckVerdict {
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
