// The report of a simulation as people read it.

import type { SimulatedStageReport, SimulatedTenantReport, SimulationReport } from "../../simulate/report.ts";
import { bar, duration, plural } from "./format.ts";
import { type TableColumn, table } from "./table.ts";

const FULL = 0.85;

export function drawSimulation({ stages, tenants, advice, ...report }: SimulationReport): string {
  const parts = [summaryOf(report), drawn(STAGES, stages)];
  if (tenants.length > 1) parts.push(drawn(TENANTS, tenants));
  if (advice.length > 0) parts.push(advice.map((sentence) => `- ${sentence}`).join("\n"));
  return parts.join("\n\n");
}

function summaryOf(report: Omit<SimulationReport, "stages" | "tenants" | "advice">): string {
  const { durationMs, submitted, completed, failed, unfinished, refused } = report;
  const counts = [`${completed} completed`, `${failed} failed`, `${unfinished} unfinished`];
  for (const [code, count] of Object.entries(refused)) counts.push(`${count} refused with ${code}`);
  return `${duration(durationMs)} simulated, ${plural(submitted, "job")} submitted: ${counts.join(", ")}.`;
}

interface Waits {
  readonly waitMs: SimulatedStageReport["waitMs"];
}

const WAITS: readonly TableColumn<Waits>[] = [
  { title: "WAIT P50", value: ({ waitMs }) => duration(waitMs.p50), align: "right" },
  { title: "P95", value: ({ waitMs }) => duration(waitMs.p95), align: "right" },
  { title: "P99", value: ({ waitMs }) => duration(waitMs.p99), align: "right" },
  { title: "MAX", value: ({ waitMs }) => duration(waitMs.max), align: "right" },
];

const STAGES: readonly TableColumn<SimulatedStageReport>[] = [
  { title: "KIND", value: ({ kind }) => kind, most: 30 },
  { title: "STAGE", value: ({ stage }) => stage, most: 30 },
  { title: "PROCESSORS", value: ({ processors }) => processors, align: "right" },
  { title: "BUSY", value: ({ busy }) => bar(busy, 10), style: ({ busy }) => (busy > FULL ? "yellow" : undefined) },
  { title: "RATE", value: ({ perSecond }) => `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`, align: "right" },
  ...WAITS,
  { title: "LONGEST QUEUE", value: ({ longestQueue }) => longestQueue, align: "right" },
  { title: "QUEUE AT END", value: ({ queueAtEnd }) => queueAtEnd, align: "right" },
  { title: "FAILURES", value: ({ failures }) => failures, align: "right" },
];

const TENANTS: readonly TableColumn<SimulatedTenantReport>[] = [
  { title: "TENANT", value: ({ tenant }) => tenant, most: 30 },
  { title: "SUBMITTED", value: ({ submitted }) => submitted, align: "right" },
  { title: "COMPLETED", value: ({ completed }) => completed, align: "right" },
  ...WAITS,
];

function drawn<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  return table(columns, rows, process.stdout.columns);
}
