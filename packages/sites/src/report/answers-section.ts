import { OWN, type WatchedBrand, watchedBrands } from "../analysis/watched.ts";
import type { Report } from "../api/report.ts";
import type { Answer } from "../api/shapes.ts";
import { html, type Markup } from "./markup.ts";

const OUTCOMES: Readonly<Record<Answer["status"], string>> = {
  ok: "",
  truncated: "cut off at the length limit",
  refused: "refused to answer",
  empty: "gave an empty answer",
  failed: "failed",
  "skipped-budget": "not asked: the budget was used up",
  interrupted: "interrupted by a crash and not repeated",
};

/** Every prompt with every answer in full, so that a reader can check each figure. */
export function answersSection(report: Report): Markup {
  if (report.mode === "extractive") return promptTable(report);
  const watched = watchedBrands(report.brand, report.prompts.rivals);
  return html`<h2>All prompts</h2>${report.prompts.prompts.map(({ id, text, intent, branded, origin, basis }) => {
    const answers = report.answers.filter((answer) => answer.promptId === id && answer.mode === "model");
    return html`<details${answers.length === 0 ? html` open` : ""}><summary>${text}<span class="badge">${intent}</span>${branded ? html`<span class="badge">names you</span>` : ""}</summary><div><p class="small soft">Formed by ${origin}.${basis[0] ? html` From: “${basis[0].quote}”` : ""}</p>${answers.map((answer) => shownAnswer(answer, watched))}</div></details>`;
  })}`;
}

function promptTable({ prompts }: Report): Markup {
  if (prompts.prompts.length === 0) return html``;
  return html`<h2>All prompts</h2><div class="wide"><table class="stack"><thead><tr><th>Prompt</th><th>Intent</th><th>Based on</th></tr></thead><tbody>${prompts.prompts.map(
    ({ text, intent, branded, origin, basis }) =>
      html`<tr><td>${text}</td><td>${intent}${branded ? ", names you" : ""}</td><td class="small soft">${basis[0] ? `“${basis[0].quote}”` : origin}</td></tr>`,
  )}</tbody></table></div>`;
}

function shownAnswer(answer: Answer, watched: readonly WatchedBrand[]): Markup {
  const { model, sample, status, text, error, grounded } = answer;
  const outcome = OUTCOMES[status];
  return html`<div class="small soft">${model.ref}${model.reported ? ` (${model.reported})` : ""}, sample ${sample}${grounded ? ", with lookups" : ", from memory"}${outcome ? html`, <strong>${outcome}</strong>` : ""}${error ? `: ${error}` : ""}</div>${text ? html`<div class="answer">${highlighted(text, watched)}</div>` : ""}`;
}

/** The answer as text, with the names in it marked. */
function highlighted(text: string, watched: readonly WatchedBrand[]): Markup[] {
  const marks = watched
    .flatMap(({ id, matches }) => matches(text).map(({ start, end }) => ({ start, end, own: id === OWN })))
    .sort((a, b) => a.start - b.start || Number(b.own) - Number(a.own));
  const pieces: Markup[] = [];
  let at = 0;
  for (const { start, end, own } of marks) {
    if (start < at) continue;
    pieces.push(
      html`${text.slice(at, start)}`,
      own ? html`<mark>${text.slice(start, end)}</mark>` : html`<mark class="rival">${text.slice(start, end)}</mark>`,
    );
    at = end;
  }
  pieces.push(html`${text.slice(at)}`);
  return pieces;
}
