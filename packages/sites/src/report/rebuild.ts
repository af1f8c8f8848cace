import type { Report } from "../api/report.ts";
import type { Brand } from "../api/shapes.ts";
import { buildReport } from "./build.ts";

/** The report with other rivals, from the answers that it has: no model is asked. */
export function withRivals(report: Report, rivals: readonly Brand[]): Report {
  const { method, cost, profile } = report;
  return buildReport({
    jobId: report.jobId,
    createdAt: report.createdAt,
    profile,
    prompts: { ...report.prompts, rivals: [...rivals] },
    models: method.models,
    samples: method.samples,
    parameters: method.parameters,
    callContract: method.callContract,
    answers: report.answers,
    judge: method.judge,
    coverage: report.coverage,
    perhapsTwice: cost.perhapsTwice,
    notes: method.notes,
    cost,
  });
}
