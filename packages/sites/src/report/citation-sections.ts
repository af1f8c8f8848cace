import type { Report } from "../api/report.ts";
import { html, type Markup } from "./markup.ts";
import { kOfN } from "./words.ts";

const WHOSE = { own: "yours", rival: "a rival's", other: "" };
const MOST_DOMAINS = 20;
const MOST_PAGES = 3;

/** Addresses that models cite are text and no links. Where answers come from: whether models searched, for what, and whose pages they cite. */
export function citationSections(report: Report): Markup {
  return html`${grounding(report)}${citations(report)}${queries(report)}`;
}

function grounding({ grounding: sides }: Report): Markup {
  if (sides === undefined) return html``;
  const { search, memory, other } = sides;
  const apart = other.map((figure) => html` From memory alone you are named in ${kOfN(figure)}.`);
  return html`<h2>Where answers come from</h2><p>${search} of ${search + memory} answers searched the web. The figures of this report count those.${memory > 0 ? ` ${memory} answers from memory count apart.` : ""}${apart}</p>`;
}

function citations({ citations: domains }: Report): Markup {
  if (domains.length === 0) return html`<h2>Cited pages</h2><p>No answer cited a page.</p>`;
  return html`<h2>Cited pages</h2><div class="wide"><table><thead><tr><th>Domain and its most cited pages</th><th>Owner</th><th class="num">Answers</th><th class="num">Mean place</th></tr></thead><tbody>${domains
    .slice(0, MOST_DOMAINS)
    .map(
      ({ domain, class: whose, answers, position, pages = [] }) =>
        html`<tr><td>${domain}${pages.slice(0, MOST_PAGES).map(({ url }) => html`<div class="small">${url}</div>`)}</td><td>${WHOSE[whose]}</td><td class="num">${answers}</td><td class="num">${position ?? ""}</td></tr>`,
    )}</tbody></table></div>`;
}

function queries({ queries: searched = [] }: Report): Markup {
  if (searched.length === 0) return html``;
  return html`<h3>What models searched for</h3><div class="wide"><table><thead><tr><th>Query</th><th class="num">Answers</th></tr></thead><tbody>${searched
    .slice(0, MOST_DOMAINS)
    .map(
      ({ query, answers }) => html`<tr><td>${query}</td><td class="num">${answers}</td></tr>`,
    )}</tbody></table></div>`;
}
