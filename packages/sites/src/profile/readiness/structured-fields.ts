import { clip } from "../../page/clean.ts";
import { quoteOf, readJsonLd } from "../json-ld.ts";
import { type CheckFacts, type CheckVerdict, pagesOf } from "./check.ts";

/** What answers quote of each type. One of several, where a type has alternatives. */
const EXPECTED: readonly [types: RegExp, fields: readonly (readonly string[])[]][] = [
  [
    /^(?:Product|IndividualProduct|ProductModel)$/,
    [["name"], ["description"], ["offers", "aggregateRating", "review"]],
  ],
  [/^(?:Service)$/, [["name"], ["description"], ["provider"], ["areaServed", "offers"]]],
  [
    /^(?:Offer)$/,
    [
      ["price", "priceSpecification"],
      ["priceCurrency", "priceSpecification"],
    ],
  ],
  [/^(?:Article|NewsArticle|BlogPosting|TechArticle)$/, [["headline"], ["datePublished"], ["author"]]],
  [/^(?:FAQPage)$/, [["mainEntity"]]],
  [/^(?:Event)$/, [["name"], ["startDate"], ["location"]]],
  [/^(?:Recipe)$/, [["name"], ["recipeIngredient"], ["recipeInstructions"]]],
  [/^(?:SoftwareApplication|WebApplication|MobileApplication)$/, [["name"], ["applicationCategory"], ["offers"]]],
  [
    /^(?:LocalBusiness|Restaurant|Bakery|Store|Dentist|Physician|Hotel|ProfessionalService|HomeAndConstructionBusiness|AutoRepair|LegalService)$/,
    [["name"], ["address"], ["telephone"], ["openingHours", "openingHoursSpecification"]],
  ],
];

/** Fields that each described thing lacks, by type. */
export function structuredFields({ crawl: { pages } }: CheckFacts): CheckVerdict {
  const known = pages.flatMap((page) =>
    readJsonLd(page.jsonLd).things.flatMap(({ types, fields }) => {
      const type = types.find((each) => EXPECTED.some(([fitting]) => fitting.test(each)));
      const expected = EXPECTED.find(([fitting]) => type !== undefined && fitting.test(type))?.[1];
      if (type === undefined || expected === undefined) return [];
      const lacking = expected.filter((names) => names.every((name) => fields[name] === undefined));
      return [{ type, lacking: lacking.map((names) => names.join(" or ")), url: page.url, quote: quoteOf(fields) }];
    }),
  );
  if (known.length === 0) return { status: "n/a", finding: "No product, service, place or article is described." };
  const wanting = known.filter(({ lacking }) => lacking.length > 0);
  const described = [...new Set(known.map(({ type }) => type))].join(", ");
  if (wanting.length === 0)
    return {
      status: "pass",
      finding: `${clip(described, 200)} on ${pagesOf(pages.length)}: all have what answers quote.`,
    };
  const byType = [...Map.groupBy(wanting, ({ type }) => type)].map(
    ([type, all]) => `${type} without ${[...new Set(all.flatMap(({ lacking }) => lacking))].join(", ")}`,
  );
  return {
    status: "warn",
    finding: `${clip(byType.join("; "), 280)}.`,
    evidence: wanting.slice(0, 3).map(({ url, quote }) => ({ url, quote })),
    fix: `Add to the structured data: ${clip(byType.join("; ").replaceAll(" without ", ": "), 250)}.`,
  };
}
