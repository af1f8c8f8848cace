import { type PromptPair, pairedChange } from "../analysis/paired.ts";
import type { Figure, Report } from "../api/report.ts";
import type { Answer, AnswerFinding } from "../api/shapes.ts";
import type { SiteComparison } from "../api/site-shapes.ts";
import { withRivals } from "../report/rebuild.ts";
import { countedSide, isGood, sideOf } from "../report/tally.ts";
import { kOfN, NOT_MEASURED } from "../report/words.ts";

/** Two runs side by side. Figures only where the same was asked of the same models; checks and passages always. */
export function compareReports(kept: Report, latest: Report): SiteComparison {
  // A report of an older version counted otherwise: both are counted by today's rules.
  const [before, after] = [kept, latest].map((report) => withRivals(report, report.prompts.rivals)) as [Report, Report];
  const reasons = reasonsAgainst(before, after);
  return {
    before: before.jobId,
    after: after.jobId,
    comparable: reasons.length === 0,
    reasons,
    changes: reasons.length > 0 ? [] : changes(before, after),
    versions: versionChanges(before, after),
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
  if (countedSideOf(before) !== countedSideOf(after))
    reasons.push("One run counts answers that searched the web, the other answers from memory.");
  if (JSON.stringify(before.method.parameters) !== JSON.stringify(after.method.parameters))
    reasons.push("The runs used different parameters.");
  return reasons;
}

/** Which answers the figures of a report count. */
function countedSideOf({ answers }: Report) {
  return countedSide(answers);
}

function changes(before: Report, after: Report): SiteComparison["changes"] {
  const figures = (report: Report) => [...report.kpis, ...(report.coverageFigure ? [report.coverageFigure] : [])];
  return figures(after).map((now) => {
    const then = figures(before).find(({ id }) => id === now.id);
    const paired = then && pairedChange(pairsOf(now.id, before, after));
    const apart = then !== undefined && (now.low > then.high || now.high < then.low);
    return {
      id: now.id,
      label: now.label,
      before: then ? kOfN(then) : NOT_MEASURED,
      after: kOfN(now),
      difference: then ? Math.round((share(now) - share(then)) * 1e4) / 1e4 : null,
      beyondChance: paired?.beyondChance ?? apart,
      ...(paired && { low: paired.low, high: paired.high, noticeable: paired.noticeable }),
    };
  });
}

type AnswerTest = (answer: Answer, findings: ReadonlyMap<string, AnswerFinding>) => boolean;

const ANSWER_TESTS: Readonly<Record<string, AnswerTest>> = {
  "mention-rate": ({ verdict }) => verdict === "recommended" || verdict === "mentioned" || verdict === "warned",
  "recommended-rate": ({ verdict }) => verdict === "recommended",
  "own-cited": ({ callKey }, findings) =>
    findings.get(callKey)?.citations.some((each) => each.class === "own") ?? false,
};

/** The answers of both runs by prompt. Prompts that name the brand count in no headline figure. */
function pairsOf(id: string, before: Report, after: Report): PromptPair[] {
  if (id === "answer-coverage") return coveragePairs(before, after);
  const isSo = ANSWER_TESTS[id];
  if (isSo === undefined) return [];
  const counts = (report: Report) => {
    const findings = new Map(report.findings.map((finding) => [finding.callKey, finding]));
    const side = countedSideOf(report);
    const measured = new Set(report.byModel.filter((model) => model.measured).map(({ ref }) => ref));
    return new Map(
      report.prompts.prompts
        .filter(({ branded }) => !branded)
        .map(({ id: promptId, text }) => {
          const good = report.answers.filter(
            (answer) =>
              answer.promptId === promptId &&
              isGood(answer) &&
              sideOf(answer) === side &&
              measured.has(answer.model.ref),
          );
          return [text, { k: good.filter((answer) => isSo(answer, findings)).length, n: good.length }];
        }),
    );
  };
  const [then, now] = [counts(before), counts(after)];
  return [...now].flatMap(([text, count]) => {
    const earlier = then.get(text);
    return earlier ? [{ before: earlier, after: count }] : [];
  });
}

function coveragePairs(before: Report, after: Report): PromptPair[] {
  const answered = (report: Report) =>
    new Map(
      report.prompts.prompts.flatMap(({ id, text }) => {
        const verdict = report.coverage.find(({ promptId }) => promptId === id)?.verdict;
        return verdict === undefined ? [] : [[text, { k: verdict === "answered" ? 1 : 0, n: 1 }] as const];
      }),
    );
  const [then, now] = [answered(before), answered(after)];
  return [...now].flatMap(([text, count]) => {
    const earlier = then.get(text);
    return earlier ? [{ before: earlier, after: count }] : [];
  });
}

/** Models that answered under another name than before: a provider replaced the version behind the same name. */
function versionChanges(before: Report, after: Report): SiteComparison["versions"] {
  return after.byModel.flatMap(({ ref, reported }) => {
    const then = before.byModel.find((model) => model.ref === ref)?.reported ?? [];
    const isSame = then.length === 0 || reported.length === 0 || reported.some((version) => then.includes(version));
    return isSame ? [] : [{ ref, before: then.join(", "), after: reported.join(", ") }];
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
