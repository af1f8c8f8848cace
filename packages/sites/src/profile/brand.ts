import { fold } from "../analysis/fold.ts";
import type { Brand, SiteProfile } from "../api/shapes.ts";
import { registrableDomain } from "../crawl/links.ts";
import type { KeptPage } from "../crawl/page.ts";
import { cleanText, clip } from "../page/clean.ts";
import { ofType, organisationOf, readJsonLd, texts } from "./json-ld.ts";

type ProfileBrand = SiteProfile["brand"];

/** Who the site is: what its owner says, or the most reliable place that names it. */
export function brandOf(pages: readonly KeptPage[], given: Brand | undefined): ProfileBrand {
  const home = pages[0] as KeptPage;
  const domain = registrableDomain(new URL(home.url).hostname);
  const found = fromStructuredData(pages) ?? fromSiteName(pages) ?? fromTitles(pages) ?? fromDomain(domain, home);
  if (!given) return { ...found, domains: [domain] };
  return {
    name: given.name,
    aliases: given.aliases,
    domains: [...new Set([domain, ...given.domains])],
    from: "user",
    confidence: "high",
    evidence: { url: home.url, quote: clip(home.title || given.name, 300) },
  };
}

const TITLE_SIGNS = /\s*[|–—·»:]\s*|\s-\s/;

/** Letters and digits alone: "paws-aloft" is "Paws Aloft". */
function plain(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
}

type FoundBrand = Omit<ProfileBrand, "domains">;

function fromStructuredData(pages: readonly KeptPage[]): FoundBrand | undefined {
  for (const page of pages) {
    const { things } = readJsonLd(page.jsonLd);
    const own = organisationOf(things, page.url);
    for (const thing of [...(own ? [own] : []), ...ofType(things, /^WebSite$/)]) {
      const [name] = texts(thing.fields["name"]).map(cleanText).filter(isName);
      if (name === undefined) continue;
      const others = [...texts(thing.fields["alternateName"]), ...texts(thing.fields["legalName"])].map(cleanText);
      const aliases = [...new Set(others)].filter((alias) => isName(alias) && alias !== name).slice(0, 5);
      const quote = clip(`"name": "${name}" (${thing.types.join(", ")})`, 300);
      return { name, aliases, from: "structured data", confidence: "high", evidence: { url: page.url, quote } };
    }
  }
  return undefined;
}

function fromSiteName(pages: readonly KeptPage[]): FoundBrand | undefined {
  const page = pages.find(({ siteName }) => isName(siteName));
  if (!page) return undefined;
  const evidence = { url: page.url, quote: page.siteName };
  return { name: page.siteName, aliases: [], from: "og:site_name", confidence: "high", evidence };
}

/** "Prices | Acme", "About us | Acme": the part that stays. */
function fromTitles(pages: readonly KeptPage[]): FoundBrand | undefined {
  if (pages.length < 2) return fromOneTitle(pages[0] as KeptPage);
  const counts = new Map<string, number>();
  for (const { title } of pages) {
    for (const part of new Set(title.split(TITLE_SIGNS))) {
      if (isName(part)) counts.set(part, (counts.get(part) ?? 0) + 1);
    }
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length);
  if (!best || best[1] < 2 || best[1] < pages.length / 2) return undefined;
  const page = pages.find(({ title }) => title.includes(best[0])) as KeptPage;
  const confidence = best[1] === pages.length ? "high" : "medium";
  return { name: best[0], aliases: [], from: "titles", confidence, evidence: { url: page.url, quote: page.title } };
}

/** A single title says less: the part in which every word is a name's, and which the text uses too. */
function fromOneTitle(page: KeptPage): FoundBrand | undefined {
  const text = page.passages.map((passage) => passage.text).join("\n");
  const parts = page.title.split(TITLE_SIGNS);
  const name = parts.find(
    (part) =>
      isName(part) && part.split(" ").every((word) => /^[\p{Lu}\p{Lo}\p{N}&]/u.test(word)) && text.includes(part),
  );
  if (name === undefined || parts.length < 2) return undefined;
  return { name, aliases: [], from: "titles", confidence: "medium", evidence: { url: page.url, quote: page.title } };
}

/** A part of the title that is spelled as the domain is, or else the domain itself. */
function fromDomain(domain: string, { url, title }: KeptPage): FoundBrand {
  const label = /^[\d.:[\]]+$/.test(domain) ? domain : (domain.split(".")[0] ?? domain);
  const spelled = title.split(TITLE_SIGNS).find((part) => isName(part) && plain(part) === plain(label));
  if (spelled !== undefined)
    return { name: spelled, aliases: [], from: "titles", confidence: "medium", evidence: { url, quote: title } };
  const name = label.charAt(0).toUpperCase() + label.slice(1);
  return { name, aliases: [], from: "domain", confidence: "low", evidence: { url, quote: domain } };
}

function isName(text: string): boolean {
  return text.length >= 2 && text.length <= 60 && /[\p{L}\p{N}]/u.test(text) && text.split(" ").length <= 6;
}
