import type { Report } from "../api/report.ts";
import type { Brand } from "../api/shapes.ts";
import { buildReport, type RunFacts } from "./build.ts";
import { reportCsv } from "./csv.ts";
import { reportHtml } from "./html.ts";
import { withRivals } from "./rebuild.ts";

export interface WrittenReport {
  report: Report;
  html: Uint8Array;
  csv: Uint8Array;
  json: Uint8Array;
}

/** The report in every form that is kept. */
export function writeReport(facts: RunFacts): WrittenReport {
  return written(buildReport(facts));
}

/** The same with other rivals, from the answers that were kept. */
export function rewriteReport(report: Report, rivals: readonly Brand[]): WrittenReport {
  return written(withRivals(report, rivals));
}

function written(report: Report): WrittenReport {
  const bytes = (text: string) => new TextEncoder().encode(text);
  return {
    report,
    html: bytes(reportHtml(report)),
    csv: bytes(reportCsv(report)),
    json: bytes(JSON.stringify(report)),
  };
}
