import { jobRoutes } from "../../api/job.ts";
import type { JobView } from "../../job/report/view.ts";
import type { Engine } from "../engine.ts";
import { jobFor } from "../redact.ts";
import { type BoundRoute, bind } from "../request/bind.ts";
import { csvLine } from "../request/csv.ts";
import { filterOf } from "../request/filter.ts";

const PAGE = 500;

const COLUMNS = [
  "jobId",
  "kind",
  "stage",
  "tenant",
  "status",
  "state",
  "priority",
  "tags",
  "createdAt",
  "startedAt",
  "completedAt",
  "attempt",
  "lastError",
  "payload",
  "result",
] as const satisfies readonly (keyof JobView)[];

/** Lists as files. A list is read page by page, as fast as the caller takes it. */
export function exportHandlers(engine: Engine): BoundRoute[] {
  return [
    bind(jobRoutes.exportList, async ({ query, caller }) => {
      const { format, ...asked } = query;
      const filter = filterOf(asked, caller);
      const write = format === "csv" ? csvOf : ndjsonOf;
      // The first page is read before the answer begins, so that a wrong filter is refused with a status.
      let page: JobView[] = await engine.list({ ...filter, limit: PAGE });
      let isFirst = true;
      const encoder = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (!isFirst) {
            const last = page.at(-1);
            page =
              page.length < PAGE || !last ? [] : await engine.list({ ...filter, limit: PAGE, beforeId: last.jobId });
          }
          const head = isFirst && format === "csv" ? csvLine(COLUMNS) : "";
          isFirst = false;
          const text = head + page.map((job) => write(jobFor(caller, job))).join("");
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (page.length < PAGE) controller.close();
        },
      });
      return new Response(body, {
        headers: {
          "content-type": format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson",
          "content-disposition": `attachment; filename="jobs.${format}"`,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
        },
      });
    }),
  ];
}

function ndjsonOf(job: JobView): string {
  return `${JSON.stringify(job)}\n`;
}

function csvOf(job: JobView): string {
  return csvLine(COLUMNS.map((name) => job[name]));
}
