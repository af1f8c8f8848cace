import type { Report } from "../api/shapes.ts";
import { buildReport, type RunFacts } from "./build.ts";
import { reportCsv } from "./csv.ts";
import { reportHtml } from "./html.ts";

export interface WrittenReport {
  report: Report;
  html: Uint8Array;
  csv: Uint8Array;
  json: Uint8Array;
}

/** The report in every form that is kept. */
export function writeReport(facts: RunFacts): WrittenReport {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const report = buildReport(facts);
  return {
    report,
    html: bytes(reportHtml(report)),
    csv: bytes(reportCsv(report)),
    json: bytes(JSON.stringify(report)),
  };
}
