// What to do about each gap: who is cited instead, which page of the site is nearest, what it lacks, and an answer to put there, made of
// the site's own sentences.

import type { NextStep } from "../api/next-step.ts";
import type { Report } from "../api/report.ts";
import type { Answer, Evidence } from "../api/shapes.ts";
import { clip } from "../page/clean.ts";
import type { FindingsByCall } from "./tally.ts";

type Gap = Report["gaps"][number];
type Draft = Pick<Report, "coverage" | "prompts" | "profile" | "brand">;

const MOST_DOMAINS = 5;
const MOST_SENTENCES = 3;

export function withNextSteps(
  gaps: readonly Gap[],
  report: Draft,
  { good, found }: { good: readonly Answer[]; found: FindingsByCall },
): Gap[] {
  return gaps.map((gap) => ({ ...gap, next: nextStep(gap, report, { good, found }) }));
}

function nextStep(
  { promptId, named }: Gap,
  report: Draft,
  { good, found }: { good: readonly Answer[]; found: FindingsByCall },
): NextStep {
  const answers = good.filter((answer) => answer.promptId === promptId);
  const cover = report.coverage.find((each) => each.promptId === promptId);
  const prompt = report.prompts.prompts.find(({ id }) => id === promptId);
  const nearest = cover?.passage;
  const verdict = cover?.verdict ?? "not found";
  const citedInstead = citedBy(answers, found);
  const sayingSo = answers.filter(({ callKey }) =>
    found.get(callKey)?.brands.some(({ id, mentioned }) => mentioned && named.includes(id)),
  );
  // Models that all name the same rivals have learned it from many pages; where answers differ, one good page counts.
  const isSettled = answers.length > 0 && sayingSo.length === answers.length && named.length <= 2;
  const searches = answers.some(({ grounded }) => grounded);
  return {
    citedInstead,
    ...(nearest && { nearest }),
    missing: missingIn(verdict, cover?.why),
    block: blockOf(prompt?.text ?? "", prompt?.persona, report, nearest),
    effort: verdict === "answered" ? "small" : verdict === "partly" ? "medium" : "large",
    chance: isSettled && !searches ? "small" : searches && verdict !== "not found" ? "large" : "medium",
  };
}

function citedBy(answers: readonly Answer[], found: FindingsByCall): NextStep["citedInstead"] {
  const domains = new Map<string, NextStep["citedInstead"][number]>();
  for (const { callKey } of answers) {
    const seen = new Set<string>();
    for (const { domain, class: whose } of found.get(callKey)?.citations ?? []) {
      if (whose === "own" || seen.has(domain)) continue;
      seen.add(domain);
      domains.set(domain, { domain, class: whose, answers: (domains.get(domain)?.answers ?? 0) + 1 });
    }
  }
  return [...domains.values()].sort((a, b) => b.answers - a.answers).slice(0, MOST_DOMAINS);
}

function missingIn(verdict: string, why: string | undefined): string {
  if (verdict === "answered") return "The site answers it, but not under a heading that asks it.";
  if (verdict === "partly" && why !== undefined) return why;
  return "No passage of the site answers it.";
}

/** The question as a heading, and below it what the site already says. A person fills in what is missing. */
function blockOf(
  question: string,
  persona: string | undefined,
  { profile, brand }: Draft,
  nearest: Evidence | undefined,
): NextStep["block"] {
  const { offer } = profile;
  const wants =
    /price|cost|how much|kost|preis|prix|coût|combien|precio|cuesta|prezzo|preço|prijs|cena|цена|стоит|料金|価格|いくら/iu;
  const evidence = [
    ...(nearest ? [nearest] : []),
    ...(wants.test(question) ? offer.prices.slice(0, 1).map((each) => each.evidence) : []),
    ...offer.summary.slice(0, 1).map((each) => each.evidence),
    ...offer.places.slice(0, 1).map((each) => each.evidence),
  ];
  const sentences = [...new Map(evidence.map((each) => [each.quote, each])).values()].slice(0, MOST_SENTENCES);
  const asked = persona === undefined ? question : question.slice(persona.length + 1);
  return {
    heading: asked,
    text: sentences.length === 0 ? `${brand.name}: …` : clip(sentences.map(({ quote }) => quote).join(" "), 600),
    evidence: sentences,
  };
}
