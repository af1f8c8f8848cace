import type { Report } from "../api/report.ts";
import type { Answer } from "../api/shapes.ts";
import type { FindingsByCall } from "./tally.ts";

const MOST_DOMAINS = 50;
const MOST_PAGES = 10;

interface CitedDomain {
  readonly domain: string;
  readonly class: "own" | "rival" | "other";
  readonly positions: number[];
  readonly pages: Map<string, number>;
}

/** Whose pages answers cite: an answer counts once for a domain, and once for each of its pages. */
export function citationsOf(counted: readonly Answer[], found: FindingsByCall): Report["citations"] {
  const domains = new Map<string, CitedDomain>();
  for (const { callKey } of counted) {
    const seen = new Set<string>();
    for (const { url, domain, class: whose, position = 1 } of found.get(callKey)?.citations ?? []) {
      const known: CitedDomain = domains.get(domain) ?? { domain, class: whose, positions: [], pages: new Map() };
      domains.set(domain, known);
      known.pages.set(url, (known.pages.get(url) ?? 0) + 1);
      if (!seen.has(domain)) known.positions.push(position);
      seen.add(domain);
    }
  }
  return [...domains.values()]
    .map(({ domain, class: whose, positions, pages }) => ({
      domain,
      class: whose,
      answers: positions.length,
      position: Math.round((10 * positions.reduce((sum, each) => sum + each, 0)) / positions.length) / 10,
      pages: [...pages]
        .map(([url, answers]) => ({ url, answers }))
        .sort((a, b) => b.answers - a.answers)
        .slice(0, MOST_PAGES),
    }))
    .sort((a, b) => b.answers - a.answers || (a.domain < b.domain ? -1 : 1))
    .slice(0, MOST_DOMAINS);
}
