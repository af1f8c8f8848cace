// Where a site names its offer: its structured data, titles, headings, description and text. Each kind is a witness.

import type { KeptPage } from "../../crawl/page.ts";
import { cleanText } from "../../page/clean.ts";
import { readJsonLd, type Thing, texts } from "../json-ld.ts";
import { isQuestion } from "../questions.ts";
import { bodyOf } from "../text-of.ts";

export type Witness = "data" | "title" | "heading" | "page" | "section" | "description" | "text";

export interface SourceText {
  readonly witness: Witness;
  readonly url: string;
  readonly text: string;
}

/** Pages whose titles name articles and people instead of offers. */
const ASIDE = new Set(["blog", "about", "contact", "faq", "docs"]);

export function sourcesOf(pages: readonly KeptPage[]): SourceText[] {
  return pages.flatMap((page, i) => {
    const { url } = page;
    const at = (witness: Witness) => (text: string) => ({ witness, url, text });
    const isHome = i === 0;
    const heads = page.headings.filter(({ aside, text }) => !aside && !isQuestion(text));
    const first = heads.filter(({ level }) => level === 1).map(({ text }) => text);
    const others = heads.filter(({ level }) => level > 1).map(({ text }) => text);
    const isOffer = !ASIDE.has(page.role);
    return [
      ...readJsonLd(page.jsonLd).things.flatMap(offersNamed).map(cleanText).map(at("data")),
      ...(isHome ? [page.title].map(at("title")) : isOffer ? [page.title].map(at("page")) : []),
      ...(isHome ? first.map(at("heading")) : isOffer ? first.map(at("page")) : []),
      ...(isOffer ? others.map(at("section")) : []),
      ...(page.description === "" ? [] : [page.description].map(at("description"))),
      ...bodyOf(page).map(at("text")),
    ];
  });
}

const OFFERED =
  /^(?:Product|ProductGroup|Service|SoftwareApplication|WebApplication|MobileApplication|Course|MenuItem|FinancialProduct)$/;
/** Fields that hold the products of another company: what is similar, or what comes with it. */
const NOT_OWN = new Set(["isSimilarTo", "isRelatedTo", "isAccessoryOrSparePartFor", "review", "itemReviewed"]);

function offersNamed({ types, via, fields }: Thing): string[] {
  if (via !== undefined && NOT_OWN.has(via)) return [];
  const isOffered = types.some((type) => OFFERED.test(type)) || via === "itemOffered";
  const isCatalogue = types.includes("OfferCatalog");
  return [
    ...(isOffered || isCatalogue ? texts(fields["name"]) : []),
    ...texts(fields["serviceType"]),
    ...texts(fields["category"]),
    ...texts(fields["knowsAbout"]),
    ...texts(fields["servesCuisine"]),
  ].filter((text) => text.length <= 80 && !/^[A-Z][a-z]+[A-Z]|https?:|[>/]/.test(text));
}

const GOODS_TYPES = /^(?:Product|ProductGroup|Store|OnlineStore|[A-Z]\w*Store)$/;
const GOODS_WORDS =
  /\b(?:add to (?:cart|basket|bag)|checkout|shopping cart|in den warenkorb|warenkorb|ajouter au panier|panier|añadir al carrito|carrito|aggiungi al carrello|carrello|adicionar ao carrinho|winkelwagen|winkelmandje|varukorg|do koszyka|koszyk|do košíku|sepete ekle)\b|в корзину|до кошика|カートに入れる|加入购物车|장바구니|أضف إلى السلة/iu;

/** Whether the site sells goods, which can be ordered, and not only services. */
export function sellsGoods(pages: readonly KeptPage[]): boolean {
  const priced = pages.some((page) =>
    readJsonLd(page.jsonLd).things.some(({ types }) => types.some((type) => GOODS_TYPES.test(type))),
  );
  return priced || pages.some((page) => page.passages.some(({ text }) => GOODS_WORDS.test(text.slice(0, 500))));
}
