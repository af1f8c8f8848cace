import type { Evidence, ReadinessCheck, SiteProfile } from "../../api/shapes.ts";
import type { Crawl } from "../../crawl/crawl.ts";

/** What a check looks at. */
export interface CheckFacts {
  crawl: Crawl;
  brand: SiteProfile["brand"];
  now: number;
}

export type CheckVerdict = Omit<ReadinessCheck, "id" | "label" | "evidence"> & { evidence?: Evidence[] };

export function pagesOf(count: number): string {
  return count === 1 ? "1 page" : `${count} pages`;
}
