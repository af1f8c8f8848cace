// One page, whole in itself: no script, nothing fetched, light and dark, on paper too.

import type { Report } from "../api/report.ts";
import { answersSection } from "./answers-section.ts";
import { html, link, type Markup } from "./markup.ts";
import { coverageSection, modelSections } from "./sections.ts";
import { STYLE } from "./style.ts";
import { dollars, kOfN, NO_MODEL, NOT_MEASURED, percent } from "./words.ts";

export function reportHtml(report: Report): string {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">
<title>${report.brand.name}: ${report.mode === "model" ? "how AI models answer" : "answer coverage"}</title><style>`;
  return `${page.text}${STYLE}</style></head><body>${body(report).text}</body></html>\n`;
}

function body(report: Report): Markup {
  return html`<main>
${head(report)}
<p class="lead">${report.headline}</p>
${actions(report)}
<h2>Figures</h2>${tiles(report)}
${report.mode === "model" ? modelSections(report) : ""}
${coverageSection(report)}
${readiness(report)}
${hidden(report)}
${answersSection(report)}
${method(report)}
</main>`;
}

function head({ brand, site, createdAt, tier, mode, method, prompts, partial }: Report): Markup {
  const badge = tier === "exploratory" ? "Exploratory: fewer than 50 prompts" : "Directional";
  return html`<header><h1>${brand.name}</h1>
<div class="line"><span>${link(site.final)}</span><span>${createdAt.slice(0, 10)}</span><span>${prompts.prompts.length} ${prompts.prompts.length === 1 ? "prompt" : "prompts"}, ${method.pages} ${method.pages === 1 ? "page" : "pages"} read</span>${mode === "model" ? html`<span>${method.models.join(", ")}</span>` : ""}<span class="badge">${badge}</span>${partial ? html`<span class="badge">Partial: some answers are missing</span>` : ""}</div>
${mode === "extractive" ? html`<p class="banner"><strong>${NO_MODEL}.</strong> This report says whether the site's own text answers its customers' questions. How AI models see the site is ${NOT_MEASURED}.</p>` : ""}</header>`;
}

function actions({ actions }: Report): Markup {
  if (actions.length === 0) return html``;
  return html`<h2>What to do next</h2><ol class="actions">${actions
    .slice(0, 3)
    .map(
      ({ title, why, effort, impact }) =>
        html`<li>${title} <span class="badge">effort ${effort}, impact ${impact}</span>${why
          .slice(0, 1)
          .map(
            ({ url, quote }) =>
              html`<blockquote>${quote}${url ? html`<br><span class="small">${link(url)}</span>` : ""}</blockquote>`,
          )}</li>`,
    )}</ol>`;
}

function tiles(report: Report): Markup {
  const { kpis, position, mode, coverageFigure } = report;
  const figureOf = (id: string) => kpis.find((figure) => figure.id === id);
  const tile = (label: string, value: Markup) =>
    html`<div class="tile"><div class="label">${label}</div>${value}</div>`;
  const shared = (id: string) => {
    const figure = figureOf(id);
    if (!figure) return html`<div class="value none">${NOT_MEASURED}</div>`;
    return html`<div class="value">${percent(figure.n === 0 ? 0 : figure.k / figure.n)}</div><div class="of">${kOfN(figure)}</div>`;
  };
  const place = position
    ? html`<div class="value">${position.mean}</div><div class="of">over ${position.n} ${position.n === 1 ? "answer" : "answers"} that name you</div>`
    : html`<div class="value none">${NOT_MEASURED}</div>`;
  return html`<div class="tiles">${mode === "extractive" && coverageFigure ? tile("Answer coverage", html`<div class="value">${percent(coverageFigure.k / coverageFigure.n)}</div><div class="of">${kOfN(coverageFigure)}</div>`) : ""}${tile("Mention rate", shared("mention-rate"))}${tile("Share of voice", shared("share-of-voice"))}${tile("Mean position", place)}${mode === "model" || !coverageFigure ? tile("Own pages cited", shared("own-cited")) : ""}</div>`;
}

const STATE_WORDS = { pass: "pass", warn: "could be better", fail: "fail", "n/a": "for information" };

function readiness({ readiness }: Report): Markup {
  return html`<h2>Site readiness</h2><div class="wide"><table class="stack"><thead><tr><th>Check</th><th>Result</th><th>Finding</th></tr></thead><tbody>${readiness.map(
    ({ label, status, finding, evidence, fix }) =>
      html`<tr><td>${label}</td><td class="state ${status === "n/a" ? "na" : status}">${STATE_WORDS[status]}</td><td>${finding}${evidence
        .slice(0, 1)
        .map(
          ({ url, quote }) => html`<blockquote>${quote}<br>${link(url)}</blockquote>`,
        )}${fix ? html`<div class="small">→ ${fix}</div>` : ""}</td></tr>`,
  )}</tbody></table></div>`;
}

function hidden({ hiddenText }: Report): Markup {
  if (hiddenText.length === 0) return html``;
  return html`<h2>Hidden instructions</h2><p>Visitors do not see this text, and it reads like instructions to an AI model. This report does not use it. Check where it comes from, such as a plugin or a copied text, and remove it: models may distrust pages that carry it.</p>${hiddenText.map(
    ({ url, quote }) => html`<blockquote>${quote}<br>${link(url)}</blockquote>`,
  )}`;
}

function method({ method, cost, notCounted, profile, prompts, jobId, mode }: Report): Markup {
  const rows: [string, Markup | string][] = [
    [
      "Analyst",
      mode === "extractive"
        ? `${method.analyst}: rules, no AI model was asked`
        : `${method.analyst}${method.judge === undefined ? "" : `, ${method.judge} as the judge of answers,`} and the models below`,
    ],
    ["Models", method.models.length > 0 ? method.models.join(", ") : "none"],
    ["Samples per prompt and model", method.models.length > 0 ? String(method.samples) : "none"],
    [
      "What models were sent",
      method.models.length > 0 ? "the prompt alone: no system prompt, no text of the site, no tools" : "nothing",
    ],
    [
      "Parameters",
      Object.entries(method.parameters)
        .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
        .join(", ") || "none",
    ],
    ["Prompt set", html`<code>${method.promptSetHash}</code> (runs with the same hash asked the same prompts)`],
    ["Language", method.language],
    ["Intervals", "95 %, over prompts: answers to one prompt are alike, so they count less than answers to several"],
    [
      "Cost",
      method.models.length > 0 || cost.calls > 0
        ? `${dollars(cost.usd)}, ${cost.calls} calls, ${cost.inputTokens} tokens in, ${cost.outputTokens} out${cost.perhapsTwice > 0 ? `; ${cost.perhapsTwice} ${cost.perhapsTwice === 1 ? "call" : "calls"} may have been billed twice` : ""}${cost.perhapsBilled ? `; ${cost.perhapsBilled} without an answer may have been billed` : ""}`
        : "nothing: no model was asked",
    ],
    ["Not counted", notCounted.map(({ status, answers }) => `${answers} ${status}`).join(", ") || "nothing"],
    [
      "Pages",
      `${profile.coverage.fetched} read, ${profile.coverage.skipped.length} skipped${profile.coverage.truncated ? ", some truncated" : ""}`,
    ],
    ["Run", html`<code>${jobId}</code>`],
  ];
  return html`<h2>Method</h2><dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${[...method.notes, ...prompts.shortfalls].map((note) => html`<p class="small soft">${note}</p>`)}
${profile.coverage.skipped.length > 0 ? html`<h3>Pages skipped</h3><div class="wide"><table><tbody>${profile.coverage.skipped.slice(0, 30).map(({ url, reason }) => html`<tr><td>${link(url)}</td><td>${reason}</td></tr>`)}</tbody></table></div>` : ""}`;
}
