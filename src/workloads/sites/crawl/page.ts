import { createHash } from "node:crypto";
import type { Page } from "../../../api/site-shapes.ts";
import { FetchFault } from "../fetch/fault.ts";
import type { Fetched } from "../fetch/fetch.ts";
import { clip } from "../page/clean.ts";
import { decodePage } from "../page/decode.ts";
import { extractPage } from "../page/extract.ts";
import type { PageContent, Passage } from "../page/page.ts";

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

const MAX_TEXT_CHARS = 60_000;
const KEPT_HEADERS = ["server", "x-powered-by", "x-generator", "x-robots-tag", "last-modified", "via"];

/** What came back for a page, read; or why there is nothing to read. */
export async function readPage(fetched: Fetched, role: Page["role"]): Promise<KeptPage | SkippedPage> {
  const { url, status, headers } = fetched;
  if (status < 200 || status >= 300) return { url, skipped: `answered ${status}` };
  const type = (headers["content-type"] ?? "text/html").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!/^(?:text\/html|application\/xhtml\+xml|text\/plain)$/.test(type)) {
    return { url, skipped: `is not a page (${clip(type, 60)})` };
  }
  const { text, charset } = decodePage(fetched.body, headers["content-type"]);
  const content = await extractPage(text);
  const passages = keptPassages(content.passages);
  const robots = [...content.robots, ...(headers["x-robots-tag"] ?? "").toLowerCase().split(/\s*,\s*/)].filter(Boolean);
  return {
    ...content,
    url,
    status,
    role,
    charset,
    passages,
    robots,
    links: content.links.slice(0, 300),
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
  return passages.filter(({ text }) => {
    room -= text.length;
    return room >= 0;
  });
}

/** A fault of one page in words for the list of skipped pages. */
export function skipReason(error: unknown): string {
  if (error instanceof FetchFault) return error.message;
  return error instanceof Error ? error.message : String(error);
}
