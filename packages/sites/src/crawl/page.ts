import { createHash } from "node:crypto";
import type { Page } from "../api/shapes.ts";
import { FetchFault } from "../fetch/fault.ts";
import type { Fetched } from "../fetch/fetch.ts";
import { clip } from "../page/clean.ts";
import { decodePage } from "../page/decode.ts";
import { extractPage } from "../page/extract.ts";
import type { PageContent, Passage } from "../page/page.ts";
import { MAX_HREF_CHARS } from "./links.ts";

/** A page as the run keeps it: what the profile is made from, small enough to be a step. */
export interface KeptPage extends Omit<PageContent, "robots" | "scripts"> {
  url: string;
  status: number;
  role: Page["role"];
  charset: string;
  hash: string;
  flags: string[];
  robots: string[];
  scripts: string[];
  headers: Record<string, string>;
  htmlChars: number;
}

export interface SkippedPage {
  url: string;
  skipped: string;
}

/** Of the passages, each with the heading above it. */
const MAX_TEXT_CHARS = 80_000;
const MAX_ROBOTS_TAGS = 50;
/** Pages of these roles have many short parts, each of which says something about the site. */
const SECTIONED: ReadonlySet<Page["role"]> = new Set(["home", "pricing", "product", "faq", "about", "contact"]);
const KEPT_HEADERS = ["server", "x-powered-by", "x-generator", "x-robots-tag", "last-modified", "via"];

/** What came back for a page, read; or why there is nothing to read. */
export function readPage(fetched: Fetched, role: Page["role"]): KeptPage | SkippedPage {
  const { url, status, headers } = fetched;
  if (status < 200 || status >= 300) return { url, skipped: `answered ${status}` };
  const type = (headers["content-type"] ?? "text/html").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/^(?:text\/html|application\/xhtml\+xml|text\/plain)$/.test(type)) {
    return { url, skipped: `is not a page (${clip(type, 60)})` };
  }
  const { text, charset } = decodePage(fetched.body, headers["content-type"]);
  const content = extractPage(text, SECTIONED.has(role) ? { layout: "sections" } : {});
  const passages = keptPassages(content.passages);
  const robots = [...content.robots, ...tagsIn(headers["x-robots-tag"] ?? "")].slice(0, MAX_ROBOTS_TAGS);
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
    flags: [
      ...(fetched.truncated || content.cut !== undefined ? ["truncated"] : []),
      ...(content.appShell ? ["app-shell"] : []),
      ...(robots.includes("noindex") ? ["noindex"] : []),
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

/** `noindex`, `nosnippet` ... of a header. */
function tagsIn(header: string): string[] {
  const words = header.toLowerCase().split(",");
  return words.map((word) => clip(word.trim(), 100)).filter((word) => word !== "");
}

/** A fault of one page in words for the list of skipped pages. */
export function skipReason(error: unknown): string {
  if (error instanceof FetchFault) return error.message;
  return error instanceof Error ? error.message : String(error);
}
