import { type BoundRoute, bind, type Engine, lookingAt } from "millrace/workload";
import { siteRoutes } from "../api/sites.ts";
import { findRun, reportPart } from "./find.ts";
import type { Printer } from "./printer.ts";

/** The report's own policy: styles of its own and nothing else, in no frame but ours. */
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "private, no-cache",
};

export function reportHandlers(engine: Engine, printer: Printer): BoundRoute[] {
  return [
    bind(siteRoutes.report, async ({ params, query, caller }) => {
      const job = await findRun(engine, params.jobId, lookingAt(caller, query.tenant));
      return new Response(await reportPart(engine, job, "html"), { headers: PAGE_HEADERS });
    }),
    bind(siteRoutes.reportJson, async ({ params, query, caller }) => {
      const job = await findRun(engine, params.jobId, lookingAt(caller, query.tenant));
      return new Response(await reportPart(engine, job, "json"), {
        headers: downloadHeaders("application/json", undefined),
      });
    }),
    bind(siteRoutes.reportCsv, async ({ params, query, caller }) => {
      const job = await findRun(engine, params.jobId, lookingAt(caller, query.tenant));
      return new Response(await reportPart(engine, job, "csv"), {
        headers: downloadHeaders("text/csv; charset=utf-8", `${job.jobId}.csv`),
      });
    }),
    bind(siteRoutes.reportPdf, async ({ params, query, caller }) => {
      const job = await findRun(engine, params.jobId, lookingAt(caller, query.tenant));
      const html = await reportPart(engine, job, "html");
      const pdf = await printer.print(new TextDecoder().decode(html));
      return new Response(pdf, { headers: downloadHeaders("application/pdf", `${job.jobId}.pdf`) });
    }),
  ];
}

function downloadHeaders(type: string, name: string | undefined): Record<string, string> {
  return {
    "content-type": type,
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-cache",
    ...(name !== undefined && { "content-disposition": `attachment; filename="${name}"` }),
  };
}
