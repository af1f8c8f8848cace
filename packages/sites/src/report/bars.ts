import type { Figure, Report } from "../api/report.ts";
import { html, type Markup } from "./markup.ts";
import { kOfN } from "./words.ts";

const WIDTH = 960;
const LABEL = 230;
const FIGURE = 170;
const ROW = 34;

/** Bars with their intervals as a band. The table below says the same: a picture is not read out. */
export function brandBars(brands: Report["brands"]): Markup {
  const rows = brands.slice(0, 11);
  const room = WIDTH - LABEL - FIGURE;
  const x = (share: number) => (LABEL + share * room).toFixed(1);
  return html`<svg viewBox="0 0 ${WIDTH} ${rows.length * ROW + 6}" role="img" aria-label="Share of answers that name each brand">${rows.map(
    ({ own, mention }, i) => {
      const y = i * ROW;
      const share = mention.n === 0 ? 0 : mention.k / mention.n;
      return html`<text x="0" y="${y + 21}"${own ? html` font-weight="650"` : ""}>${short(mention.label)}</text>
<rect x="${LABEL}" y="${y + 8}" width="${room}" height="18" rx="3" fill="var(--card)"/>
<rect x="${LABEL}" y="${y + 8}" width="${(share * room).toFixed(1)}" height="18" rx="3" fill="${own ? "var(--own)" : "var(--rival)"}"/>
<line x1="${x(mention.low)}" x2="${x(mention.high)}" y1="${y + 17}" y2="${y + 17}" stroke="var(--ink)" stroke-width="1.5"/>
<line x1="${x(mention.low)}" x2="${x(mention.low)}" y1="${y + 13}" y2="${y + 21}" stroke="var(--ink)" stroke-width="1.5"/>
<line x1="${x(mention.high)}" x2="${x(mention.high)}" y1="${y + 13}" y2="${y + 21}" stroke="var(--ink)" stroke-width="1.5"/>
<text class="soft" x="${WIDTH}" y="${y + 21}" text-anchor="end">${kOfN(mention)}</text>`;
    },
  )}</svg>`;
}

export function coverageBar(figure: Figure, partly: number): Markup {
  const { k, n } = figure;
  const at = (count: number) => ((count / n) * WIDTH).toFixed(1);
  return html`<svg viewBox="0 0 ${WIDTH} 26" role="img" aria-label="${k} answered, ${partly} partly, ${n - k - partly} not found">
<rect x="0" y="3" width="${WIDTH}" height="18" rx="3" fill="var(--card)" stroke="var(--line)"/>
<rect x="0" y="3" width="${at(k)}" height="18" rx="3" fill="var(--good)"/>
<rect x="${at(k)}" y="3" width="${at(partly)}" height="18" fill="var(--warn)" opacity=".55"/></svg>`;
}

function short(text: string): string {
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}
