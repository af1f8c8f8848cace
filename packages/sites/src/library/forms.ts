import type { Report } from "../api/report.ts";
import { reportCsv } from "../report/csv.ts";
import { reportHtml } from "../report/html.ts";

/** The report as one page: no script, nothing fetched, light and dark. */
export function toHtml(report: Report): string {
  return reportHtml(report);
}

/** One row per answer, or per prompt where no model was asked, with a byte order mark for spreadsheets. */
export function toCsv(report: Report): string {
  return reportCsv(report);
}
