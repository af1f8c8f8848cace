import type { Figure, Report } from "../api/shapes.ts";
import type { SiteComparison } from "../api/site-shapes.ts";
import { kOfN, NOT_MEASURED } from "../report/words.ts";

/** Two runs side by side. Figures only where the same was asked of the same models; checks and passages always. */
export function compareReports(before: Report, after: Report): SiteComparison {
  const reasons = reasonsAgainst(before, after);
  return {
    before: before.jobId,
    after: after.jobId,
    comparable: reasons.length === 0,
    reasons,
    changes: reasons.length > 0 ? [] : changes(before, after),
    readiness: after.readiness.flatMap(({ id, label, status }) => {
      const old = before.readiness.find((check) => check.id === id)?.status ?? "n/a";
      return old === status ? [] : [{ id, label, before: old, after: status }];
    }),
    coverage: coverageChanges(before, after),
  };
}

function reasonsAgainst(before: Report, after: Report): string[] {
  const reasons: string[] = [];
  if (before.site.domain !== after.site.domain)
    reasons.push(`The runs analyse different sites: ${before.site.domain} and ${after.site.domain}.`);
  if (before.method.promptSetHash !== after.method.promptSetHash) reasons.push("The runs asked different prompts.");
  if (before.mode !== after.mode) reasons.push("One run asked models, the other did not.");
  if (before.method.callContract !== after.method.callContract)
    reasons.push("The text that models receive has changed between the runs.");
  const models = (report: Report) => [...report.method.models].sort().join(", ");
  if (models(before) !== models(after))
    reasons.push(`The runs asked different models: ${models(before) || "none"} and ${models(after) || "none"}.`);
  if (JSON.stringify(before.method.parameters) !== JSON.stringify(after.method.parameters))
    reasons.push("The runs used different parameters.");
  return reasons;
}

function changes(before: Report, after: Report): SiteComparison["changes"] {
  const figures = (report: Report) => [...report.kpis, ...(report.coverageFigure ? [report.coverageFigure] : [])];
  return figures(after).map((now) => {
    const then = figures(before).find(({ id }) => id === now.id);
    return {
      id: now.id,
      label: now.label,
      before: then ? kOfN(then) : NOT_MEASURED,
      after: kOfN(now),
      difference: then ? Math.round((share(now) - share(then)) * 1e4) / 1e4 : null,
      beyondChance: then !== undefined && (now.low > then.high || now.high < then.low),
    };
  });
}

function share({ k, n }: Figure): number {
  return n === 0 ? 0 : k / n;
}

/** By the question itself: an id is only a place in a list. */
function coverageChanges(before: Report, after: Report): SiteComparison["coverage"] {
  const verdicts = new Map(
    before.prompts.prompts.map(({ id, text }) => [
      text,
      before.coverage.find(({ promptId }) => promptId === id)?.verdict,
    ]),
  );
  return after.prompts.prompts.flatMap(({ id, text }) => {
    const now = after.coverage.find(({ promptId }) => promptId === id);
    const then = verdicts.get(text);
    if (!now || then === undefined || then === now.verdict) return [];
    return [{ prompt: text, before: then, after: now.verdict, ...(now.passage && { passage: now.passage }) }];
  });
}
