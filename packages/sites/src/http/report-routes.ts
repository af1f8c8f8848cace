import { audited, type BoundRoute, bind, type Engine, lookingAt } from "millrace/workload";
import { siteRoutes } from "../api/sites.ts";
import { reportNdjson } from "../report/ndjson.ts";
import type { SiteSettings } from "../settings.ts";
import { chooseRivals, findRun, readReport, reportPart } from "./find.ts";
import { PAGE_HEADERS } from "./page-headers.ts";
import type { Printer } from "./printer.ts";

export function reportHandlers(engine: Engine, printer: Printer, { retentionMs }: SiteSettings): BoundRoute[] {
  return [
    bind(siteRoutes.setRivals, async ({ params, body, caller, traceId }) => {
      const job = await findRun(engine, params.jobId, caller);
      // Without a report there is nothing to compute, and the error says so.
      await reportPart(engine, job, "json");
      await chooseRivals(engine, job, { rivals: body.rivals, forMs: retentionMs });
      await audited(engine, { caller, traceId }, "site rivals changed", { target: job.jobId, tenant: job.tenant });
      const { headline, kpis, brands, rivalsDiscovered } = await readReport(engine, job);
      return { body: { rivals: body.rivals, headline, kpis, brands, rivalsDiscovered } };
    }),
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
    bind(siteRoutes.reportNdjson, async ({ params, query, caller }) => {
      const job = await findRun(engine, params.jobId, lookingAt(caller, query.tenant));
      return new Response(reportNdjson(await readReport(engine, job)), {
        headers: downloadHeaders("application/x-ndjson", `${job.jobId}.ndjson`),
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
