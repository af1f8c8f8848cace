import { clip } from "../../page/clean.ts";
import { organisationOf, quoteOf, readJsonLd } from "../json-ld.ts";
import { type CheckFacts, type CheckVerdict, pagesOf } from "./check.ts";

export function structuredData({ crawl: { pages } }: CheckFacts): CheckVerdict {
  const read = pages.map((page) => ({ page, ...readJsonLd(page.jsonLd) }));
  const broken = read.filter((each) => each.broken > 0);
  if (broken.length > 0) {
    return {
      status: "fail",
      finding: `${broken.length} of ${pagesOf(pages.length)} have structured data that is not valid JSON.`,
      evidence: broken.slice(0, 3).map(({ page }) => ({ url: page.url, quote: clip(page.jsonLd[0] ?? "", 300) })),
      fix: "Correct the JSON in the ld+json blocks.",
    };
  }
  const types = [...new Set(read.flatMap(({ things }) => things.flatMap((thing) => thing.types)))];
  if (types.length > 0) return { status: "pass", finding: `Found: ${clip(types.join(", "), 200)}.` };
  return {
    status: "warn",
    finding: "No structured data (JSON-LD) was found.",
    fix: "Describe the organisation and its products in JSON-LD.",
  };
}

export function organisation({ crawl: { pages } }: CheckFacts): CheckVerdict {
  for (const page of pages) {
    const thing = organisationOf(readJsonLd(page.jsonLd).things, page.url);
    if (!thing) continue;
    const lacking = ["name", "url", "logo", "sameAs"].filter((field) => thing.fields[field] === undefined);
    const evidence = [{ url: page.url, quote: quoteOf(thing.fields) }];
    if (lacking.length === 0)
      return { status: "pass", finding: "Name, address, logo and profiles are given.", evidence };
    return {
      status: "warn",
      finding: `An organisation is described without ${lacking.join(", ")}.`,
      evidence,
      fix: `Add ${lacking.join(", ")}.`,
    };
  }
  return {
    status: "warn",
    finding: "No organisation is described.",
    fix: "Add an Organization with name, url, logo and sameAs.",
  };
}
