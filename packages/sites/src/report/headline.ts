import type { Report } from "../api/report.ts";
import { countedSide, sideOf } from "./tally.ts";
import { percent } from "./words.ts";

/** What was found, in one paragraph. */
export function headlineOf(report: Omit<Report, "headline" | "actions">): string {
  return report.mode === "extractive" ? covered(report) : visible(report);
}

function covered({ brand, coverageFigure, readiness, profile }: Omit<Report, "headline" | "actions">): string {
  const wall = wallSentence(profile);
  if (wall !== undefined) return wall;
  const failed = readiness.filter(({ status }) => status === "fail").length;
  const checks = readiness.filter(({ status }) => status !== "n/a").length;
  const readable = `${checks - failed} of ${checks} readiness checks pass or nearly pass.`;
  if (!coverageFigure) return `The site of ${brand.name} has too little text to answer questions. ${readable}`;
  const { k, n, low, high } = coverageFigure;
  return `The site's own text answers ${k} of ${n} questions its customers would ask (${percent(low)} to ${percent(high)}). ${readable} No AI model was asked, so this report does not say how models see ${brand.name}.`;
}

/** Why the site's own text says little, where it does. */
export function wallSentence({ brand, coverage, readiness }: Report["profile"]): string | undefined {
  switch (coverage.note) {
    case "needs-javascript":
      return `The pages of ${brand.name} are empty until JavaScript runs. Most bots, and this analysis, see no text on them.`;
    case "challenge":
      return `${readiness.find(({ id }) => id === "reachable")?.finding ?? "The site answered with a bot check."} Assistants that fetch pages, and this analysis, see no text.`;
    case "consent-wall":
      return `The only readable text on ${brand.name} is a cookie notice. Most bots, and this analysis, see nothing else.`;
    default:
      return undefined;
  }
}

function visible(report: Omit<Report, "headline" | "actions">): string {
  const { profile, prompts } = report;
  const wall = wallSentence(profile);
  const doubt = prompts.doubts?.length ? `These prompts may be wrong for the site: ${prompts.doubts.join(" ")} ` : "";
  return `${doubt || (wall === undefined ? "" : `${wall} `)}${seen(report)}`;
}

function seen(report: Omit<Report, "headline" | "actions">): string {
  const { brand, kpis, brands, byModel, gaps, known } = report;
  const rate = kpis.find(({ id }) => id === "mention-rate");
  const about = known ? ` Asked about ${brand.name} by name, models know it in ${known.k} of ${known.n} answers.` : "";
  if (!rate && known)
    return `Every prompt names ${brand.name}, so this report cannot say whether models name it on their own.${about}`;
  if (!rate)
    return "No model gave enough answers to measure anything. The answers so far are kept; request the missing ones.";
  const side = countedSide(report.answers);
  const counts = new Set(report.answers.filter((answer) => sideOf(answer) === side).map(({ model }) => model.ref));
  const asked = byModel.filter(({ ref, measured, mention }) => measured && mention && counts.has(ref)).length;
  const rival = brands.find(({ own, mentions }) => !own && mentions > 0);
  const than = rival
    ? ` The most-named rival is ${rival.mention.label}, in ${rival.mention.k} of ${rival.mention.n} answers.`
    : "";
  const gap =
    gaps.length > 0
      ? ` In ${gaps.length} ${gaps.length === 1 ? "question" : "questions"} rivals are named and ${brand.name} is not.`
      : "";
  const searched = report.grounding ? " that searched the web" : "";
  const memory = report.grounding?.memory
    ? ` ${report.grounding.memory} answers came from memory and count apart.`
    : "";
  return `${brand.name} is named in ${rate.k} of ${rate.n} answers${searched} of ${asked} ${asked === 1 ? "model" : "models"} (${percent(rate.low)} to ${percent(rate.high)})${standing(report)}.${than}${gap}${about}${memory}`;
}

/** Whether being named is good news. */
function standing({ verdicts = [] }: Omit<Report, "headline" | "actions">): string {
  const count = (verdict: string) => verdicts.find(({ id }) => id === `verdict:${verdict}`)?.k ?? 0;
  const parts = [
    ...(count("recommended") > 0 ? [`recommended in ${count("recommended")}`] : []),
    ...(count("warned") > 0 ? [`advised against in ${count("warned")}`] : []),
  ];
  return parts.length > 0 ? `, ${parts.join(" and ")} of them` : "";
}
