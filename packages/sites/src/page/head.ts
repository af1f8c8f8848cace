import { cleanText, clip } from "./clean.ts";
import type { PageContent } from "./page.ts";

type Attributes = Readonly<Record<string, string>>;

const MOST_ROBOTS_TAGS = 50;
const MOST_DATES = 20;
const LONGEST_REFRESH_S = 10;

/** Notes what a tag says about the page as a whole. */
export function noteAbout(page: PageContent, name: string, attributes: Attributes): void {
  switch (name) {
    case "html":
      page.lang ||= cleanText(attributes["lang"] ?? attributes["xml:lang"] ?? "").slice(0, 35);
      break;
    case "base":
      page.base ||= (attributes["href"] ?? "").slice(0, 2_000);
      break;
    case "meta":
      noteMeta(page, attributes);
      break;
    case "link":
      if (/(?:^|\s)canonical(?:\s|$)/i.test(attributes["rel"] ?? ""))
        page.canonical ||= (attributes["href"] ?? "").slice(0, 2_000);
      break;
    case "time":
      noteDate(page, attributes["datetime"]);
      break;
  }
}

function noteMeta(page: PageContent, attributes: Attributes): void {
  const name = (attributes["name"] ?? attributes["property"] ?? "").toLowerCase();
  const content = cleanText((attributes["content"] ?? "").slice(0, 2_000));
  if (/^refresh$/i.test(attributes["http-equiv"] ?? "")) page.refresh ||= refreshTarget(content);
  if (/^content-language$/i.test(attributes["http-equiv"] ?? "")) page.lang ||= content.slice(0, 35);
  if (name === "description" || name === "og:description") page.description ||= content;
  else if (name === "og:site_name" || name === "application-name") page.siteName ||= content.slice(0, 120);
  else if (name === "generator") page.generator ||= content.slice(0, 120);
  else if (name === "robots") noteRobots(page, content.toLowerCase(), "");
  else if (/^[\w-]*bot$/.test(name)) noteRobots(page, content.toLowerCase(), `${name}: `);
  else if (/^(?:article:(?:modified|published)_time|og:updated_time|last-modified|date)$/.test(name))
    noteDate(page, content);
}

/** "0; url=/start" leads to "/start". A slow refresh reloads a page of news and leads nowhere. */
function refreshTarget(content: string): string {
  const [, seconds = "", target = ""] = /^(\d{1,5})(?:\.\d*)?\s?[;,]\s?(?:url\s?=\s?)?(.*)$/i.exec(content) ?? [];
  return Number(seconds) <= LONGEST_REFRESH_S ? target.replace(/^(["'])(.*)\1.*$/, "$2").trim() : "";
}

function noteRobots({ robots }: PageContent, content: string, agent: string): void {
  const tags = content.split(",").slice(0, Math.min(10, MOST_ROBOTS_TAGS - robots.length));
  robots.push(...tags.map((tag) => `${agent}${clip(tag.trim(), 100)}`));
}

function noteDate({ dates }: PageContent, text: string | undefined): void {
  if (!text || dates.length >= MOST_DATES || !/^\d{4}-\d{2}(?:-\d{2})?/.test(text)) return;
  const at = Date.parse(text.length === 7 ? `${text}-01` : text);
  if (Number.isFinite(at)) dates.push(new Date(at).toISOString().slice(0, 10));
}
