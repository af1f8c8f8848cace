import { createHash } from "node:crypto";
import type { SitePage } from "../api/shapes.ts";
import { FetchFault } from "../fetch/fault.ts";
import { type FetchedResponse, ROBOTS_NAME } from "../fetch/fetch.ts";
import { clip } from "../page/clean.ts";
import { decodePage } from "../page/decode.ts";
import { extractPage } from "../page/extract.ts";
import type { PageContent, Passage } from "../page/page.ts";
import { challengeOf } from "./challenge.ts";
import { MAX_HREF_CHARS } from "./links.ts";
import { tagsIn } from "./robots-tags.ts";

/** A page as the run keeps it: what the profile is made from, small enough to be a step. */
export interface KeptPage extends Omit<PageContent, "robots" | "scripts"> {
  url: string;
  status: number;
  role: SitePage["role"];
  charset: string;
  hash: string;
  flags: string[];
  robots: string[];
  scripts: string[];
  headers: Record<string, string>;
  htmlChars: number;
  /** The service whose bot check came instead of the page. */
  challenge?: string;
}

export interface SkippedPage {
  url: string;
  skipped: string;
  challenge?: string;
}

/** Of the passages, each with the heading above it. */
const MAX_TEXT_CHARS = 80_000;
const MAX_ROBOTS_TAGS = 50;
/** Pages of these roles have many short parts, each of which says something about the site. */
const SECTIONED: ReadonlySet<SitePage["role"]> = new Set(["home", "pricing", "product", "faq", "about", "contact"]);
const KEPT_HEADERS = ["server", "x-powered-by", "x-generator", "x-robots-tag", "last-modified", "via"];

/** Where the links of a page start from. */
export function baseOf({ base, url }: Pick<KeptPage, "base" | "url">): string {
  return base !== undefined && base !== "" && URL.canParse(base, url) ? new URL(base, url).href : url;
}

/** The address that a page calls its own, if it is another than the one it was read from. */
export function canonicalOf({ canonical, base, url }: Pick<KeptPage, "canonical" | "base" | "url">): URL | undefined {
  const from = baseOf({ base, url });
  if (canonical === "" || !URL.canParse(canonical, from)) return undefined;
  const named = new URL(canonical, from);
  named.hash = "";
  return /^https?:$/.test(named.protocol) && named.href !== url ? named : undefined;
}

/** What came back for a page, read; or why there is nothing to read. */
export function readPage(fetched: FetchedResponse, role: SitePage["role"]): KeptPage | SkippedPage {
  const { url, status, headers } = fetched;
  if (status < 200 || status >= 300) {
    const challenge = challengeOf(fetched, 0);
    return challenge === undefined
      ? { url, skipped: `answered ${status}` }
      : { url, skipped: `answered ${status} with a bot check of ${challenge}`, challenge };
  }
  const type = (headers["content-type"] ?? "text/html").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/^(?:text\/html|application\/xhtml\+xml|text\/plain)$/.test(type)) {
    return { url, skipped: `is not an HTML page (${clip(type, 60)})` };
  }
  const { text, charset } = decodePage(fetched.body, headers["content-type"]);
  const content = extractPage(text, SECTIONED.has(role) ? { layout: "sections" } : {});
  const challenge = challengeOf(fetched, content.words);
  const passages = keptPassages(content.passages);
  const robots = [...content.robots, ...tagsIn(headers["x-robots-tag"] ?? "")].slice(0, MAX_ROBOTS_TAGS);
  const isForAll = (wanted: string) =>
    robots.some((each) => new RegExp(`^(?:${ROBOTS_NAME.toLowerCase()}: )?${wanted}$`).test(each));
  return {
    ...content,
    url,
    status,
    role,
    charset,
    passages,
    robots,
    links: content.links.filter(({ href }) => href.length <= MAX_HREF_CHARS).slice(0, 300),
    headings: content.headings.slice(0, 100),
    scripts: [...new Set(content.scripts)].slice(0, 60),
    hash: createHash("sha256")
      .update(passages.map((each) => each.text).join("\n"))
      .digest("hex")
      .slice(0, 16),
    headers: Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => (headers[name] ? [[name, clip(headers[name], 200)]] : [])),
    ),
    htmlChars: text.length,
    ...(challenge !== undefined && { challenge }),
    flags: [
      ...(fetched.truncated || content.cut !== undefined ? ["truncated"] : []),
      ...(content.appShell ? ["app-shell"] : []),
      ...(isForAll("(?:noindex|none)") ? ["noindex"] : []),
      ...(challenge !== undefined ? ["challenge"] : []),
      ...(content.hidden.length > 0 ? ["hidden-text"] : []),
    ],
  };
}

function keptPassages(passages: readonly Passage[]): Passage[] {
  let room = MAX_TEXT_CHARS;
  return passages.filter(({ text, heading }) => {
    room -= text.length + heading.length;
    return room >= 0;
  });
}

/** A fault of one page in words for the list of skipped pages. */
export function skipReason(error: unknown): string {
  if (error instanceof FetchFault) return error.message;
  return error instanceof Error ? error.message : String(error);
}
