import { NAMINGS, type Naming } from "../analysis/naming.ts";
import { OWN } from "../analysis/watched.ts";
import { figure } from "../analysis/wilson.ts";
import type { NextStep } from "../api/next-step.ts";
import type { Report } from "../api/report.ts";
import { brandBars, coverageBar } from "./bars.ts";
import { citationSections } from "./citation-sections.ts";
import { html, link, type Markup } from "./markup.ts";
import { kOfN, NOT_MEASURED } from "./words.ts";

/** What only a model can show. */
export function modelSections(report: Report): Markup {
  return html`${verdicts(report)}${judged(report)}${models(report)}${rivals(report)}${discovered(report)}${matrix(report)}${gaps(report)}${citationSections(report)}${quotes(report)}`;
}

function models({ byModel }: Report): Markup {
  return html`<h2>By model</h2><div class="wide"><table class="stack"><thead><tr><th>Model</th><th>Names you</th><th>Answers</th></tr></thead><tbody>${byModel.map(
    ({ ref, reported, measured, mention, outcomes }) =>
      html`<tr><td>${mention?.label ?? ref}${reported.length > 0 ? html`<div class="small soft">answered as ${reported.join(", ")}</div>` : ""}</td><td class="cell">${measured && mention ? kOfN(mention) : NOT_MEASURED}</td><td>${Object.entries(
        outcomes,
      )
        .map(([status, count]) => `${count} ${status}`)
        .join(", ")}</td></tr>`,
  )}</tbody></table></div>`;
}

/** What answers to prompts that do not name the brand say about it. */
function verdicts({ verdicts = [], known, method }: Report): Markup {
  if (verdicts.length === 0 && !known) return html``;
  const rows = [...verdicts, ...(known ? [{ ...known, label: "known to the model, asked by name" }] : [])];
  return html`<h2>What answers say about you</h2><div class="wide"><table class="stack"><thead><tr><th>Verdict</th><th>Answers</th></tr></thead><tbody>${rows.map(
    (figure) => html`<tr><td>${figure.label}</td><td class="cell">${kOfN(figure)}</td></tr>`,
  )}</tbody></table></div><p class="small soft">${method.judge === undefined ? "Rules read the sentence that names you." : `${method.judge} judged the answers, and had to quote them.`} Prompts that name you count only in the last line.</p>`;
}

/** What only a judge says: the tone, and statements that contradict the site. */
function judged(report: Report): Markup {
  const { sentiment = [], wrongFacts = [] } = report;
  const tone =
    sentiment.length === 0
      ? html``
      : html`<h3>Tone</h3><div class="wide"><table class="stack"><tbody>${sentiment.map(
          (figure) => html`<tr><td>${figure.label}</td><td class="cell">${kOfN(figure)}</td></tr>`,
        )}</tbody></table></div>`;
  if (wrongFacts.length === 0) return tone;
  return html`${tone}<h3>Statements that contradict your site</h3><div class="wide"><table class="stack"><thead><tr><th>A model says</th><th>Your site says</th><th>Asked</th></tr></thead><tbody>${wrongFacts.map(
    ({ quote, fact, promptId, ref }) =>
      html`<tr><td>“${quote}”</td><td>“${fact.quote}”<div class="small">${link(fact.url)}</div></td><td class="small soft">${ref}: ${promptText(report, promptId)}</td></tr>`,
  )}</tbody></table></div>`;
}

function discovered({ rivalsDiscovered = [] }: Report): Markup {
  if (rivalsDiscovered.length === 0) return html``;
  return html`<h2>Also named in answers</h2><p class="small soft">These names are not among your rivals yet, so no figure counts them.</p><div class="wide"><table class="stack"><thead><tr><th>Name</th><th class="num">Answers</th><th>For example</th></tr></thead><tbody>${rivalsDiscovered.map(
    ({ name, answers, quote }) =>
      html`<tr><td>${name}</td><td class="num">${answers}</td><td class="small soft">${quote}</td></tr>`,
  )}</tbody></table></div>`;
}

function rivals({ brands }: Report): Markup {
  if (brands.length < 2) return html``;
  return html`<h2>You and your rivals</h2>${brandBars(brands)}<div class="wide"><table class="stack"><thead><tr><th>Brand</th><th>Answers that name it</th></tr></thead><tbody>${brands.map(
    ({ own, mention }) =>
      html`<tr${own ? html` class="own"` : ""}><td>${mention.label}${own ? " (you)" : ""}</td><td class="cell">${kOfN(mention)}</td></tr>`,
  )}</tbody></table></div>`;
}

function promptText({ prompts }: Report, promptId: string): string {
  return prompts.prompts.find(({ id }) => id === promptId)?.text ?? promptId;
}

function matrix(report: Report): Markup {
  const { matrix: rows, method } = report;
  return html`<h2>Prompts and models</h2><p class="small soft">How many of the received answers name you.</p><div class="wide"><table><thead><tr><th>Prompt</th>${method.models.map((ref) => html`<th>${ref}</th>`)}</tr></thead><tbody>${rows.map(
    ({ promptId, cells }) =>
      html`<tr><td>${promptText(report, promptId)}</td>${cells.map(({ mentioned, ok, asked }) =>
        ok === 0
          ? html`<td class="cell soft">${asked === 0 ? "not asked" : "no answer"}</td>`
          : html`<td class="cell"><i style="--fill:${Math.round((mentioned / ok) * 100)}%"></i>${mentioned} of ${ok}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`;
}

function gaps(report: Report): Markup {
  const { gaps: missing, wins } = report;
  return html`<h2>Gaps and wins</h2>${
    missing.length === 0
      ? html`<p>No prompt has answers that name a rival and never you.</p>`
      : html`<div class="wide"><table class="stack"><thead><tr><th>Rivals are named, you are not</th><th>Named instead</th><th>What to do</th></tr></thead><tbody>${missing.map(
          ({ promptId, named, next }) =>
            html`<tr><td>${promptText(report, promptId)}</td><td>${named.join(", ")}${next && next.citedInstead.length > 0 ? html`<div class="small soft">cited: ${next.citedInstead.map(({ domain }) => domain).join(", ")}</div>` : ""}</td><td>${next ? nextStep(next) : ""}</td></tr>`,
        )}</tbody></table></div>`
  }${
    wins.length > 0
      ? html`<div class="wide"><table class="stack"><thead><tr><th>You are named every time</th><th>By</th></tr></thead><tbody>${wins.map(
          ({ promptId, refs }) => html`<tr><td>${promptText(report, promptId)}</td><td>${refs.join(", ")}</td></tr>`,
        )}</tbody></table></div>`
      : ""
  }`;
}

/** What the site lacks there, and an answer from its own words to begin with. */
function nextStep({ nearest, missing, block, effort, chance }: NextStep): Markup {
  return html`${missing}${nearest ? html` Nearest: ${link(nearest.url)}` : ""}<blockquote><strong>${block.heading}</strong><br>${block.text}</blockquote><div class="small soft">effort ${effort}, chance ${chance}</div>`;
}

const NAMED: Record<Naming, string> = {
  recommended: "recommended",
  compared: "compared with others",
  listed: "listed",
  passing: "named in passing",
};

/** Of the answers that name you and count. */
function namings({ findings, answers, byModel }: Report): Markup {
  const measured = new Set(byModel.filter((model) => model.measured).map(({ ref }) => ref));
  const counted = new Set(answers.filter(({ model }) => measured.has(model.ref)).map(({ callKey }) => callKey));
  const kinds = findings
    .filter(({ callKey }) => counted.has(callKey))
    .flatMap(({ brands }) => brands.find(({ id }) => id === OWN)?.kind ?? []);
  return html`<div class="wide"><table><thead><tr><th>You are</th><th>In answers that name you</th></tr></thead><tbody>${NAMINGS.map(
    (naming) =>
      html`<tr><td>${NAMED[naming]}</td><td class="cell">${kOfN(figure(naming, naming, kinds.filter((kind) => kind === naming).length, kinds.length))}</td></tr>`,
  )}</tbody></table></div><p class="small soft">Rules classify the sentence that names you.</p>`;
}

function quotes(report: Report): Markup {
  if (report.quotes.length === 0) return html``;
  return html`<h2>What models say</h2>${namings(report)}${report.quotes.map(
    ({ promptId, ref, quote }) =>
      html`<blockquote>${quote}<br><span class="small">${ref}, asked “${promptText(report, promptId)}”</span></blockquote>`,
  )}`;
}

const VERDICTS = { answered: "answered", partly: "partly", "not found": "not found" };

/** What the site itself says: no model is needed for it. */
export function coverageSection(report: Report): Markup {
  const { coverage, coverageFigure } = report;
  if (!coverageFigure) return html`<h2>Answer coverage</h2><p>${NOT_MEASURED}: there is no text to answer from.</p>`;
  const partly = coverage.filter(({ verdict }) => verdict === "partly").length;
  return html`<h2>Answer coverage</h2><p>Whether the site's own text answers each question: ${kOfN(coverageFigure)} answered, ${partly} partly. Rules decide this, so it is likely and not certain.</p>${coverageBar(coverageFigure, partly)}
<div class="wide"><table class="stack"><thead><tr><th>Question</th><th>Verdict</th><th>Passage</th></tr></thead><tbody>${coverage.map(
    ({ promptId, verdict, passage, why }) =>
      html`<tr><td>${promptText(report, promptId)}</td><td class="state ${verdict.replace(" ", "")}">${VERDICTS[verdict]}</td><td>${passage ? html`${passage.quote}<div class="small">${link(passage.url)}</div>` : ""}<div class="small soft">${why}</div></td></tr>`,
  )}</tbody></table></div>`;
}
