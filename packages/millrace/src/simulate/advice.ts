// What a report says about the plan, in sentences.

import { meanRunMs } from "./chance.ts";
import type { SimulatedStageReport, SimulationReport } from "./report.ts";
import type { PoolRules } from "./stages.ts";

/** Above it, waits grow steeply with every further job. */
const BUSY = 0.85;
const IDLE = 0.2;
/** Small pools are not worth a word. */
const FEW = 4;

export function adviceFor(report: Omit<SimulationReport, "advice">, pools: readonly PoolRules[]): string[] {
  const refused = Object.entries(report.refused).map(
    ([code, count]) => `${count} submissions were refused with ${code}. Raise the limit, or slow the submitters down.`,
  );
  return [...report.stages.flatMap((stage, i) => aboutStage(stage, pools[i] as PoolRules)), ...refused];
}

function aboutStage(stage: SimulatedStageReport, rules: PoolRules): string[] {
  const { kind, processors, busy, queueAtEnd, longestQueue } = stage;
  const name = `${kind}/${stage.stage}`;
  const percent = `${Math.round(busy * 100)} %`;
  if (queueAtEnd > processors && queueAtEnd >= longestQueue / 2) {
    const why = busy > BUSY ? "its processors are busy all the time" : "limits keep its processors idle";
    return [`${name} does not keep up: ${queueAtEnd} jobs waited at the end, because ${why}.${moreFor(stage, rules)}`];
  }
  if (busy > BUSY)
    return [`${name} is ${percent} busy. Above ${BUSY * 100} %, waits grow steeply.${moreFor(stage, rules)}`];
  if (busy < IDLE && processors > FEW && longestQueue < processors) {
    const enough = Math.max(1, Math.ceil((processors * busy) / 0.6));
    return [`${name} is ${percent} busy. It needs about ${enough} of its ${processors} processors.`];
  }
  return [];
}

/** Enough processors for all jobs that came in, at a load that leaves room for chance. */
function moreFor(
  { busy, attempts, queueAtEnd, processors, perSecond }: SimulatedStageReport,
  rules: PoolRules,
): string {
  if (busy <= BUSY || attempts === 0) return "";
  const arriving = perSecond * (1 + queueAtEnd / attempts);
  const needed = Math.ceil((arriving * meanRunMs(rules.runMs)) / 1_000 / 0.7);
  return needed > processors ? ` Use ${needed} processors.` : "";
}
