// The report as data: pure, from what the three stages kept. Every figure is k of n; an answer that did not come is not a
// "no"; what no model was asked for is not measured, never 0.

import { findingOf, verdictOf } from "../analysis/answers.ts";
import { ANALYST } from "../analysis/coverage.ts";
import { discoverRivals } from "../analysis/discover.ts";
import { promptFigure } from "../analysis/interval.ts";
import { OWN, watchedBrands } from "../analysis/watched.ts";
import { figure } from "../analysis/wilson.ts";
import type { Coverage, Figure, Report } from "../api/report.ts";
import type { Answer, Brand, PromptSet, SiteProfile } from "../api/shapes.ts";
import type { Bill } from "../models/budget.ts";
import { actionsOf } from "./actions.ts";
import { citationsOf } from "./citations.ts";
import { groundingOf } from "./grounding.ts";
import { headlineOf } from "./headline.ts";
import { withNextSteps } from "./next-steps.ts";
import {
  brandFigures,
  countedSide,
  countsOf,
  type FindingsByCall,
  type GroundingSide,
  isGood,
  judgedFigures,
  knownFigure,
  kpis,
  mentionsOwn,
  modelFigures,
  sideOf,
  type Tally,
  verdictFigures,
} from "./tally.ts";

export interface RunFacts {
  jobId: string;
  createdAt: string;
  profile: SiteProfile;
  prompts: PromptSet;
  /** Empty: no model was asked. */
  models: readonly string[];
  samples: number;
  parameters: Record<string, unknown>;
  callContract: number;
  answers: readonly Answer[];
  coverage: readonly Coverage[];
  /** The model that judged the answers. */
  judge?: string | undefined;
  /** What forming the prompts by a model took. */
  bill?: Bill;
  perhapsTwice: number;
  perhapsBilled?: number;
  notes: readonly string[];
  /** Of a report that is computed again from stored answers. Default: from the answers and the bill. */
  cost?: Report["cost"];
}

/** From so many prompts on a set is more than exploratory. */
const DIRECTIONAL_PROMPTS = 50;

export function buildReport(facts: RunFacts): Report {
  const { profile, prompts, models } = facts;
  const own: Brand = { name: profile.brand.name, aliases: profile.brand.aliases, domains: profile.brand.domains };
  const watched = watchedBrands(own, prompts.rivals, profile.site.lang);
  const findings = facts.answers.filter(isGood).map((answer) => findingOf(answer, watched));
  const found = new Map(findings.map((finding) => [finding.callKey, finding]));
  const branded = new Set(prompts.prompts.filter((prompt) => prompt.branded).map(({ id }) => id));
  const answers = facts.answers.map((answer) => ({
    ...answer,
    verdict: verdictOf(answer, found.get(answer.callKey), branded.has(answer.promptId)),
  }));
  const tally: Tally = { prompts: prompts.prompts, found, branded };
  const side = countedSide(answers);
  const byModel = models.map((ref) => modelFigures(ref, answers, tally));
  const measured = new Set(byModel.filter((model) => model.measured).map(({ ref }) => ref));
  const all = answers.filter((answer) => isGood(answer) && measured.has(answer.model.ref));
  const good = all.filter((answer) => sideOf(answer) === side);
  // A prompt that names the brand is answered with its name: it says nothing about how visible the brand is.
  const counted = good.filter(({ promptId }) => !branded.has(promptId));
  const brands = models.length === 0 ? [] : brandFigures(watched, counted, tally);
  const report: Omit<Report, "headline" | "actions"> = {
    schemaVersion: 1,
    jobId: facts.jobId,
    site: profile.site,
    brand: own,
    createdAt: facts.createdAt,
    mode: models.length === 0 ? "extractive" : "model",
    tier: prompts.prompts.length < DIRECTIONAL_PROMPTS ? "exploratory" : "directional",
    partial: answers.some(({ status }) => status !== "ok" && status !== "refused" && status !== "truncated"),
    kpis: counted.length === 0 ? [] : kpis(counted, tally, brands),
    verdicts: verdictFigures(counted),
    ...judgedFigures(good, branded),
    ...groundingOf(all, side, tally),
    known: knownFigure(good.filter(({ promptId }) => branded.has(promptId))),
    rivalsDiscovered: discoverRivals(counted, watched, profile),
    position: watched.length > 1 ? meanPosition(counted, found) : null,
    byModel,
    byIntent: intentFigures(facts, counted, found),
    matrix: matrixOf(facts, found, side),
    brands,
    ...gapsAndWins(facts, counted, found),
    citations: citationsOf(good, found),
    quotes: quotesOf(good, found),
    coverage: [...facts.coverage],
    coverageFigure: coverageFigure(facts.coverage),
    readiness: profile.readiness,
    hiddenText: profile.hiddenText,
    prompts,
    answers,
    findings,
    profile,
    method: {
      analyst: ANALYST,
      promptSetHash: prompts.hash,
      callContract: facts.callContract,
      models: [...models],
      ...(facts.judge !== undefined && { judge: facts.judge }),
      samples: facts.samples,
      parameters: facts.parameters,
      language: profile.site.lang,
      pages: profile.pages.length,
      notes: [...facts.notes],
    },
    cost: facts.cost ?? costOf(facts),
    notCounted: notCounted(answers, measured),
  };
  const planned = { ...report, gaps: withNextSteps(report.gaps, report, { good: counted, found }) };
  return { ...planned, headline: headlineOf(planned), actions: actionsOf(planned) };
}

function meanPosition(counted: readonly Answer[], found: FindingsByCall): Report["position"] {
  const places = counted.flatMap(({ callKey }) => {
    const position = found.get(callKey)?.brands.find(({ id }) => id === OWN)?.position;
    return position ? [position] : [];
  });
  if (places.length === 0) return null;
  return { mean: Math.round((places.reduce((a, b) => a + b, 0) / places.length) * 100) / 100, n: places.length };
}

function intentFigures(facts: RunFacts, counted: readonly Answer[], found: FindingsByCall): Report["byIntent"] {
  const intents = [...new Set(facts.prompts.prompts.map(({ intent }) => intent))];
  return intents.map((intent) => {
    const ids = new Set(facts.prompts.prompts.filter((prompt) => prompt.intent === intent).map(({ id }) => id));
    const answers = counted.filter(({ promptId }) => ids.has(promptId));
    const covered = facts.coverage.filter(({ promptId }) => ids.has(promptId));
    return {
      intent,
      mention:
        answers.length > 0
          ? promptFigure(
              `intent:${intent}`,
              intent,
              countsOf(answers, (answer) => mentionsOwn(answer, found)),
            )
          : null,
      coverage: covered.length > 0 ? coverageFigure(covered) : null,
    };
  });
}

function matrixOf(facts: RunFacts, found: FindingsByCall, side: GroundingSide): Report["matrix"] {
  if (facts.models.length === 0) return [];
  return facts.prompts.prompts.map(({ id }) => ({
    promptId: id,
    cells: facts.models.map((ref) => {
      const own = facts.answers.filter(({ promptId, model }) => promptId === id && model.ref === ref);
      const good = own.filter((answer) => isGood(answer) && sideOf(answer) === side);
      return {
        ref,
        mentioned: good.filter((answer) => mentionsOwn(answer, found)).length,
        ok: good.length,
        asked: own.length,
      };
    }),
  }));
}

/** A gap: rivals are named and you are not. A win: you are, in every good answer of some model. */
function gapsAndWins(
  facts: RunFacts,
  counted: readonly Answer[],
  found: FindingsByCall,
): Pick<Report, "gaps" | "wins"> {
  const gaps: Report["gaps"] = [];
  const wins: Report["wins"] = [];
  for (const { id, branded } of facts.prompts.prompts) {
    const own = counted.filter(({ promptId }) => promptId === id);
    if (own.length === 0 || branded) continue;
    const named = new Set(
      own.flatMap(
        ({ callKey }) =>
          found
            .get(callKey)
            ?.brands.filter((each) => each.mentioned && each.id !== OWN)
            .map((each) => each.id) ?? [],
      ),
    );
    if (!own.some((answer) => mentionsOwn(answer, found))) {
      if (named.size > 0) gaps.push({ promptId: id, named: [...named] });
      continue;
    }
    const refs = [...new Set(own.map(({ model }) => model.ref))];
    const won = refs.filter((ref) =>
      own.filter(({ model }) => model.ref === ref).every((answer) => mentionsOwn(answer, found)),
    );
    if (won.length > 0) wins.push({ promptId: id, refs: won });
  }
  return { gaps, wins };
}

function quotesOf(counted: readonly Answer[], found: FindingsByCall): Report["quotes"] {
  const said = new Set<string>();
  return counted
    .flatMap(({ callKey, promptId, model }) => {
      const [quote] = found.get(callKey)?.brands.find(({ id }) => id === OWN)?.quotes ?? [];
      if (quote === undefined || said.has(quote)) return [];
      said.add(quote);
      return [{ promptId, ref: model.ref, quote }];
    })
    .slice(0, 12);
}

function coverageFigure(coverage: readonly Coverage[]): Figure | null {
  if (coverage.length === 0) return null;
  const answered = coverage.filter(({ verdict }) => verdict === "answered").length;
  return figure("answer-coverage", "Answer coverage", answered, coverage.length);
}

const NO_BILL: Bill = { calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, usd: 0, perhapsTwice: 0 };

function costOf({ answers, perhapsTwice, perhapsBilled = 0, bill = NO_BILL }: RunFacts): Report["cost"] {
  const paid = answers.filter(({ mode, attempts }) => mode === "model" && attempts > 0);
  const unknown = paid.some(
    ({ usage, costUsd, status }) => costUsd === null && (usage !== undefined || status === "ok"),
  );
  const sum = (pick: (answer: Answer) => number) => paid.reduce((total, answer) => total + pick(answer), 0);
  return {
    calls: bill.calls + sum(({ attempts }) => attempts),
    inputTokens: bill.usage.inputTokens + sum(({ usage }) => usage?.inputTokens ?? 0),
    outputTokens: bill.usage.outputTokens + sum(({ usage }) => usage?.outputTokens ?? 0),
    usd: unknown || bill.usd === null ? null : Math.round((bill.usd + sum(({ costUsd }) => costUsd ?? 0)) * 1e6) / 1e6,
    perhapsTwice: bill.perhapsTwice + perhapsTwice,
    ...(perhapsBilled > 0 && { perhapsBilled }),
  };
}

function notCounted(answers: readonly Answer[], measured: ReadonlySet<string>): Report["notCounted"] {
  const counts = new Map<string, number>();
  for (const answer of answers) {
    if (answer.mode !== "model") continue;
    const status = !isGood(answer) ? answer.status : measured.has(answer.model.ref) ? undefined : "model not measured";
    if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return [...counts].map(([status, count]) => ({ status, answers: count }));
}
