import type { EvidencedText, SiteProfile } from "../api/shapes.ts";
import type { KeptPage } from "../crawl/page.ts";
import { cleanText, clip } from "../page/clean.ts";
import { readJsonLd, type Thing, texts } from "./json-ld.ts";
import { sellsGoods } from "./subjects/sources.ts";
import { subjectsOf } from "./subjects/subjects.ts";
import { bodyOf, distinct, found, headingsOf } from "./text-of.ts";

type Offer = SiteProfile["offer"];

export interface OfferNaming {
  readonly keyphrases: EvidencedText[];
  readonly lang: string;
  /** Names of the brand: they are no offer. */
  readonly names: readonly string[];
}

/** What is offered, to whom, where and for how much: each with the words it was taken from. */
export function offerOf(pages: readonly KeptPage[], naming: OfferNaming): Offer {
  const { keyphrases, lang, names } = naming;
  const things = pages.flatMap((page) => readJsonLd(page.jsonLd).things.map((thing) => ({ page, thing })));
  const addresses = things.flatMap(({ page, thing }) => places(page, thing));
  const subjects = subjectsOf(pages, lang, { names, places: addresses });
  return {
    summary: summaryOf(pages),
    subjects: subjects.what,
    goods: sellsGoods(pages),
    categories: distinct(things.flatMap(({ page, thing }) => categories(page, thing))).slice(0, 10),
    keyphrases,
    audiences: distinct([...subjects.who, ...pages.flatMap(audiences)]).slice(0, 8),
    places: distinct([...addresses, ...subjects.where, ...placesInText(pages)]).slice(0, 8),
    prices: distinct([...things.flatMap(({ page, thing }) => offered(page, thing)), ...pages.flatMap(prices)]).slice(
      0,
      20,
    ),
  };
}

function summaryOf(pages: readonly KeptPage[]): EvidencedText[] {
  const home = pages[0] as KeptPage;
  const texts = [home.description, ...home.passages.filter(({ aside }) => !aside).map(({ text }) => text)];
  return texts
    .filter((text) => text.length >= 40)
    .slice(0, 3)
    .map((text) => ({ text: clip(text, 300), evidence: { url: home.url, quote: clip(text, 300) } }));
}

function categories(page: KeptPage, { types, fields }: Thing): EvidencedText[] {
  const named = [
    ...texts(fields["category"]),
    ...texts(fields["applicationCategory"]),
    ...texts(fields["servesCuisine"]),
  ];
  const products = types.some((type) => /^(?:Product|Service|SoftwareApplication|WebApplication|Course)$/.test(type));
  return [...named, ...(products ? texts(fields["name"]) : [])].map((text) =>
    found(page, cleanText(text), cleanText(text)),
  );
}

const AUDIENCE_EN =
  /\bfor ((?:[a-z]+[ -]){0,3}(?:teams|businesses|companies|developers|engineers|families|students|teachers|schools|offices|agencies|freelancers|startups|enterprises|restaurants|hotels|shops|stores|retailers|makers|designers|marketers|parents|homeowners|professionals|organisations|organizations|nonprofits|charities|clinics|doctors|lawyers|accountants|beginners|athletes|cyclists|runners|travellers|travelers|creators|writers|researchers|farmers|landlords|patients|operators|administrators|analysts|kids|children|seniors|gardeners|bakers|cafes|cafés))\b/gi;
const AUDIENCE_DE =
  /\bfür ((?:[a-zäöüß]+ ){0,2}(?:Teams|Unternehmen|Firmen|Betriebe|Familien|Schulen|Lehrer|Kinder|Büros|Selbstständige|Handwerker|Praxen|Gastronomie|Vereine|Entwickler|Einsteiger|Privatkunden|Geschäftskunden|Radfahrer|Pendler|Gärtner))\b/g;
const AUDIENCE_JA = /([\p{Script=Han}\p{Script=Katakana}ー]{2,10})(?:向け|のため)/gu;

function audiences(page: KeptPage): EvidencedText[] {
  const spoken = [page.title, page.description, ...headingsOf(page), ...bodyOf(page)];
  return spoken.flatMap((text) =>
    [AUDIENCE_EN, AUDIENCE_DE, AUDIENCE_JA].flatMap((pattern) =>
      [...text.slice(0, 2_000).matchAll(pattern)].map(([, who = ""]) =>
        found(page, pattern === AUDIENCE_EN ? who.toLowerCase().replace(/^.* and /, "") : who, text),
      ),
    ),
  );
}

function places(page: KeptPage, { fields }: Thing): EvidencedText[] {
  const named = [
    ...texts(fields["addressLocality"]),
    ...texts(fields["addressRegion"]),
    ...texts(fields["areaServed"]),
    ...texts((fields["address"] as { addressLocality?: unknown } | undefined)?.addressLocality),
  ];
  return named.filter((text) => text.length <= 60).map((text) => found(page, cleanText(text), `address: ${text}`));
}

/** "in Leeds", said more than once. */
function placesInText(pages: readonly KeptPage[]): EvidencedText[] {
  const all = pages.flatMap((page) =>
    [page.title, page.description, ...headingsOf(page), ...bodyOf(page)].flatMap((text) =>
      [...text.slice(0, 5_000).matchAll(/(?<=\b(?:in|aus|near|around|à) )\p{Lu}\p{Ll}[\p{L}-]{1,30}/gu)].map(
        ([place]) => found(page, place, text),
      ),
    ),
  );
  const counts = new Map<string, number>();
  for (const { text } of all) counts.set(text, (counts.get(text) ?? 0) + 1);
  return all.filter(({ text }) => (counts.get(text) ?? 0) > 1);
}

/** A price in running text. Bounded repeats only: the text is a stranger's. */
const MONEY =
  /(?:(?:US|CA|A)?[$€£¥]\s?\d{1,7}(?:[.,]\d{1,3}){0,3}|\d{1,7}(?:[.,]\d{1,3}){0,3}\s?(?:円|万円|(?:€|EUR|USD|GBP|CHF|kr|zł)(?![\p{L}\p{N}])))/gu;

function prices(page: KeptPage): EvidencedText[] {
  return [...headingsOf(page), ...bodyOf(page)].flatMap((text) =>
    [...text.matchAll(MONEY)].map(([amount]) => found(page, amount, text)),
  );
}

export function hasMoney(text: string): boolean {
  return text.search(MONEY) >= 0;
}

function offered(page: KeptPage, { types, fields }: Thing): EvidencedText[] {
  if (!types.some((type) => /^(?:Offer|AggregateOffer|UnitPriceSpecification)$/.test(type))) return [];
  const [price] = [...texts(fields["price"]), ...texts(fields["lowPrice"])];
  const [currency] = texts(fields["priceCurrency"]);
  return price ? [found(page, `${price} ${currency ?? ""}`.trim(), `price: ${price} ${currency ?? ""}`)] : [];
}
