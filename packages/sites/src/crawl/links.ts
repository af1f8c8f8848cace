import { getDomain } from "tldts";
import type { SitePage } from "../api/shapes.ts";

type Role = SitePage["role"];

/** `example.co.uk` of `www.example.co.uk`; the host itself where there is none (an address, a name of this machine). */
export function registrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host.toLowerCase();
}

/** Belongs to the site: the same registrable domain, and for bare addresses the same port. */
export function sameSite(url: URL, home: URL): boolean {
  if (url.protocol !== "http:" && url.protocol !== "https:") return false;
  if (registrableDomain(url.hostname) !== registrableDomain(home.hostname)) return false;
  return getDomain(url.hostname) !== null || url.host === home.host;
}

const WORDS: readonly [Role, RegExp][] = [
  ["pricing", /\b(?:pricing|prices?|plans|tarif\w*|preis\w*|precios|prezzi|kosten)\b|料金|価格/iu],
  ["faq", /\b(?:faqs?|questions|help|support|hilfe|fragen)\b|häufige-fragen|よくある|質問/iu],
  [
    "product",
    /\b(?:products?|features?|services?|solutions?|shop|produkt\w*|leistungen|angebot\w*|servicios|produits?)\b|製品|サービス|商品/iu,
  ],
  ["about", /\b(?:about|company|team|story|über-?uns|ueber-uns|unternehmen|qui-sommes-nous)\b|会社|概要/iu],
  ["docs", /\b(?:docs?|documentation|guides?|manual|handbuch)\b/iu],
  ["contact", /\b(?:contact|kontakt|impressum|contacto)\b|問い合わせ/iu],
  ["blog", /\b(?:blog|news|articles?|aktuelles|posts?|press)\b|ニュース/iu],
];

export function roleOf(url: URL, linkText: string, home: URL): Role {
  if (url.pathname === "/" && url.host === home.host) return "home";
  const path = safeDecode(url.pathname).replaceAll(/[_/.]/g, " ");
  for (const [role, pattern] of WORDS) if (pattern.test(path)) return role;
  for (const [role, pattern] of WORDS) if (linkText.length < 40 && pattern.test(linkText)) return role;
  return "other";
}

const WEIGHT: Readonly<Record<Role, number>> = {
  home: 10,
  pricing: 9,
  product: 8,
  faq: 8,
  about: 7,
  docs: 4,
  contact: 3,
  other: 2,
  blog: 1,
};

export interface LinkCandidate {
  url: string;
  role: Role;
}

/** Pages worth reading, the most telling first; those of a role take turns, so that ten products do not crowd out the prices. */
export function rankCandidates(candidates: readonly LinkCandidate[]): LinkCandidate[] {
  const seen = new Map<Role, number>();
  return candidates
    .map((candidate, order) => {
      const turn = seen.get(candidate.role) ?? 0;
      seen.set(candidate.role, turn + 1);
      return { candidate, order, score: WEIGHT[candidate.role] - turn * 2 - depth(candidate.url) * 0.5 };
    })
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .map(({ candidate }) => candidate);
}

const NO_PAGE =
  /\.(?:pdf|jpe?g|png|gif|svg|webp|avif|ico|css|js|mjs|json|xml|rss|atom|zip|gz|tar|mp[34]|webm|woff2?|ttf|exe|dmg|docx?|xlsx?|pptx?)$/i;
const NOT_FOR_US =
  /\/(?:log-?in|log-?out|sign-?in|sign-?up|register|cart|checkout|basket|account|wp-admin|admin|cdn-cgi|search|suche)(?:\/|$)/i;

/** Longer links are not followed. */
export const MAX_HREF_CHARS = 1_000;

/** A link as a page of the site to read, or nothing. */
export function candidateOf(href: string, text: string, base: string, home: URL): LinkCandidate | undefined {
  if (href.length > MAX_HREF_CHARS || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  url.hash = "";
  // At once: each single delete would write the whole address again.
  const kept = [...url.searchParams].filter(([name]) => !/^(?:utm_|ref$|fbclid|gclid|mc_)/i.test(name));
  if (kept.length < url.searchParams.size) url.search = new URLSearchParams(kept).toString();
  if (!sameSite(url, home) || url.username !== "" || url.href.length > 500) return undefined;
  if (NO_PAGE.test(url.pathname) || NOT_FOR_US.test(url.pathname) || url.searchParams.size > 2) return undefined;
  return { url: url.href, role: roleOf(url, text, home) };
}

function depth(url: string): number {
  return new URL(url).pathname.split("/").filter(Boolean).length;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
