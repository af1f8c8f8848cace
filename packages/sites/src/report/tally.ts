// Figures over answers. The headline ones count prompts that do not name the brand, and a prompt that names a rival is left out
// of that rival's figures.

import { type PromptCount, promptFigure } from "../analysis/interval.ts";
import { OWN, type WatchedBrand } from "../analysis/watched.ts";
import type { Figure, Report } from "../api/report.ts";
import type { Answer, AnswerFinding, Prompt, Verdict } from "../api/shapes.ts";

export type GroundingSide = "search" | "memory";

export function sideOf({ grounded }: Pick<Answer, "grounded">): GroundingSide {
  return grounded ? "search" : "memory";
}

export function countedSide(answers: readonly Answer[]): GroundingSide {
  return answers.some(({ grounded }) => grounded) ? "search" : "memory";
}

export type FindingsByCall = ReadonlyMap<string, AnswerFinding>;

export interface Tally {
  readonly prompts: readonly Prompt[];
  readonly found: FindingsByCall;
  /** The prompts that name the brand, by id. */
  readonly branded: ReadonlySet<string>;
}

/** A model with fewer of its answers is not measured. */
const LEAST_ANSWERED = 0.6;

/** An answer that can be looked at for names: also one that was cut off at the length limit. */
export function isGood({ status }: Answer): boolean {
  return status === "ok" || status === "truncated";
}

export function mentionsOwn(answer: Answer, found: FindingsByCall): boolean {
  return found.get(answer.callKey)?.brands.some(({ id, mentioned }) => id === OWN && mentioned) ?? false;
}

/** The answers of each prompt, and how many of them are so. */
export function countsOf(answers: readonly Answer[], isSo: (answer: Answer) => boolean): PromptCount[] {
  return [...Map.groupBy(answers, ({ promptId }) => promptId).values()].map((group) => ({
    k: group.filter(isSo).length,
    n: group.length,
  }));
}

/** Of a model that never searched in a run that did: its answers from memory, and the label says so. */
export function modelFigures(
  ref: string,
  answers: readonly Answer[],
  { found, branded }: Tally,
): Report["byModel"][number] {
  const own = answers.filter(({ model }) => model.ref === ref);
  const received = own.filter(isGood);
  const side = countedSide(own);
  const label = side === countedSide(answers) ? ref : `${ref}, from memory`;
  const good = received.filter((answer) => sideOf(answer) === side);
  const unbranded = good.filter(({ promptId }) => !branded.has(promptId));
  const answered = own.filter(({ status }) => status === "ok" || status === "truncated" || status === "refused");
  const measured = own.length > 0 && answered.length >= own.length * LEAST_ANSWERED && received.length > 0;
  const outcomes: Record<string, number> = {};
  for (const { status } of own) outcomes[status] = (outcomes[status] ?? 0) + 1;
  const counts = countsOf(unbranded, (answer) => mentionsOwn(answer, found));
  return {
    ref,
    reported: [...new Set(own.flatMap(({ model }) => (model.reported === undefined ? [] : [model.reported])))],
    measured,
    ok: received.length,
    asked: own.length,
    mention: measured && unbranded.length > 0 ? promptFigure(`mention:${ref}`, label, counts) : null,
    outcomes,
  };
}

export function brandFigures(
  watched: readonly WatchedBrand[],
  counted: readonly Answer[],
  { prompts, found }: Tally,
): Report["brands"] {
  return watched
    .map(({ id, brand, matches }) => {
      const naming = new Set(prompts.filter(({ text }) => matches(text).length > 0).map((prompt) => prompt.id));
      const fair = counted.filter(({ promptId }) => !naming.has(promptId));
      const isNamed = ({ callKey }: Answer) =>
        found.get(callKey)?.brands.some((each) => each.id === id && each.mentioned) ?? false;
      const mention = promptFigure(`brand:${id}`, brand.name, countsOf(fair, isNamed));
      return { id, own: id === OWN, mention, mentions: mention.k };
    })
    .sort((a, b) => b.mentions - a.mentions || Number(b.own) - Number(a.own));
}

export function kpis(counted: readonly Answer[], { found }: Tally, brands: Report["brands"]): Figure[] {
  const figureOf = (id: string, label: string, isSo: (answer: Answer) => boolean) =>
    promptFigure(id, label, countsOf(counted, isSo));
  const all = brands.reduce((sum, { mentions }) => sum + mentions, 0);
  const own = brands.find((brand) => brand.own)?.mentions ?? 0;
  // Alone, a brand has all of the voice there is.
  const hasRivals = brands.some((brand) => !brand.own);
  return [
    figureOf("mention-rate", "Mention rate", (answer) => mentionsOwn(answer, found)),
    figureOf("recommended-rate", "Recommended", ({ verdict }) => verdict === "recommended"),
    ...(hasRivals && all > 0 ? [shareOfVoice(own, all, counted, found)] : []),
    figureOf("own-cited", "Own pages cited", ({ callKey }) =>
      Boolean(found.get(callKey)?.citations.some((each) => each.class === "own")),
    ),
  ];
}

/** Of all mentions. Those of one prompt are alike, as its answers are. */
function shareOfVoice(own: number, all: number, counted: readonly Answer[], found: FindingsByCall): Figure {
  const counts = [...Map.groupBy(counted, ({ promptId }) => promptId).values()].map((group) => {
    const named = group.flatMap(({ callKey }) => found.get(callKey)?.brands.filter((each) => each.mentioned) ?? []);
    return { k: named.filter(({ id }) => id === OWN).length, n: named.length };
  });
  return { ...promptFigure("share-of-voice", "Share of voice", counts), k: own, n: all };
}

const LABELS: Readonly<Record<Verdict, string>> = {
  recommended: "recommended",
  mentioned: "mentioned",
  warned: "warned against",
  unknown: "unknown to the model",
  absent: "not named",
  refused: "refused",
  "not-measured": "not measured",
};
/** Verdicts of answers that can be looked at. */
const SHOWN = ["recommended", "mentioned", "warned", "unknown", "absent"] as const;

export function verdictFigures(counted: readonly Answer[]): Figure[] {
  if (counted.length === 0) return [];
  return SHOWN.map((verdict) =>
    promptFigure(
      `verdict:${verdict}`,
      LABELS[verdict],
      countsOf(counted, (answer) => answer.verdict === verdict),
    ),
  );
}

/** Of the answers to prompts that name the brand: those of models that know it. */
export function knownFigure(branded: readonly Answer[]): Figure | null {
  if (branded.length === 0) return null;
  const knows = ({ verdict }: Answer) => verdict === "recommended" || verdict === "mentioned" || verdict === "warned";
  return promptFigure("known", "Known to the model", countsOf(branded, knows));
}

const SENTIMENTS = ["positive", "neutral", "negative"] as const;

/** What only a judge can say. Prompts that name the brand count here too: they ask about it. */
export function judgedFigures(
  good: readonly Answer[],
  branded: ReadonlySet<string>,
): Pick<Report, "sentiment" | "wrongFacts"> {
  const judged = good.filter(({ judged: judgement }) => judgement !== undefined);
  if (judged.length === 0) return {};
  const naming = judged.filter(
    ({ verdict, promptId }) =>
      !branded.has(promptId) && (verdict === "recommended" || verdict === "mentioned" || verdict === "warned"),
  );
  return {
    ...(naming.length > 0 && {
      sentiment: SENTIMENTS.map((sentiment) =>
        promptFigure(
          `sentiment:${sentiment}`,
          sentiment,
          countsOf(naming, (answer) => answer.judged?.sentiment === sentiment),
        ),
      ),
    }),
    wrongFacts: judged
      .flatMap(({ judged: judgement, promptId, model }) =>
        (judgement?.wrong ?? []).map((claim) => ({ promptId, ref: model.ref, ...claim })),
      )
      .slice(0, 20),
  };
}
