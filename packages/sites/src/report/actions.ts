import type { NextStep } from "../api/next-step.ts";
import type { Report } from "../api/report.ts";
import type { Evidence } from "../api/shapes.ts";
import { clip } from "../page/clean.ts";

type Action = Report["actions"][number];
type Draft = Omit<Report, "headline" | "actions">;

/** What to do next, the most telling first: each with the evidence it rests on. */
export function actionsOf(report: Draft): Action[] {
  const weight = { large: 3, medium: 2, small: 1 };
  return [...missingAnswers(report), ...gaps(report), ...fixes(report)]
    .sort((a, b) => weight[b.impact] - weight[a.impact] || weight[a.effort] - weight[b.effort])
    .slice(0, 8);
}

function missingAnswers({ coverage, prompts, site }: Draft): Action[] {
  const open = coverage.filter(({ verdict }) => verdict !== "answered");
  const texts = open
    .map(({ promptId }) => prompts.prompts.find(({ id }) => id === promptId)?.text ?? "")
    .filter(Boolean);
  if (texts.length === 0) return [];
  const why = open.flatMap(({ passage }) => (passage ? [passage] : [])).slice(0, 3);
  const shown = texts
    .slice(0, 3)
    .map((text) => `“${text}”`)
    .join(", ");
  return [
    {
      title: `Answer these questions of customers in text: ${clip(shown, 400)}`,
      why: why.length > 0 ? why : [{ url: site.final, quote: "No passage answers them." }],
      effort: "medium",
      impact: "large",
    },
  ];
}

function gaps({ gaps, prompts, answers, findings }: Draft): Action[] {
  const rank = { large: 3, medium: 2, small: 1 };
  const best = gaps.toSorted((a, b) => rank[b.next?.chance ?? "small"] - rank[a.next?.chance ?? "small"]);
  return best.slice(0, 3).map(({ promptId, named, next }) => {
    const text = prompts.prompts.find(({ id }) => id === promptId)?.text ?? "";
    const calls = new Set(answers.filter((answer) => answer.promptId === promptId).map(({ callKey }) => callKey));
    const quotes: Evidence[] = findings
      .filter(({ callKey }) => calls.has(callKey))
      .flatMap(({ callKey, brands }) => {
        const ref = answers.find((answer) => answer.callKey === callKey)?.model.ref ?? "";
        return brands
          .filter(({ id, mentioned }) => mentioned && named.includes(id))
          .flatMap(({ quotes }) => quotes.map((quote) => ({ url: ref, quote })));
      })
      .slice(0, 3);
    return {
      title: `${whatToDo(next, clip(text, 200))} Models name ${clip(named.slice(0, 3).join(", "), 100)} there, and not you.`,
      why: quotes,
      effort: next?.effort ?? "large",
      impact: next?.chance ?? "large",
    };
  });
}

function whatToDo(next: NextStep | undefined, question: string): string {
  if (next?.nearest === undefined) return `Publish a page that answers “${question}”.`;
  return `Answer “${question}” on ${next.nearest.url}. ${next.missing}`;
}

const LIGHT = new Set([
  "canonical",
  "title",
  "description",
  "h1",
  "sitemap",
  "freshness",
  "name",
  "indexable",
  "snippets",
  "citation-bots",
]);

function fixes({ readiness }: Draft): Action[] {
  return readiness
    .filter(({ status, fix }) => (status === "fail" || status === "warn") && fix !== undefined)
    .map(({ id, label, status, finding, evidence, fix }) => ({
      title: fix ?? label,
      why: evidence.length > 0 ? evidence.slice(0, 2) : [{ url: "", quote: clip(finding, 300) }],
      effort: LIGHT.has(id) ? ("small" as const) : ("medium" as const),
      impact: status === "fail" ? ("medium" as const) : ("small" as const),
    }));
}
