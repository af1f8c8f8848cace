// A link to one report that works without a key: it opens the HTML and nothing else, until it expires. It can be made before the
// run is finished.

import { randomBytes } from "node:crypto";
import { AppError } from "millrace";
import { audited, type BoundRoute, bind, type Engine } from "millrace/workload";
import { siteRoutes } from "../api/sites.ts";
import { findRun, reportPart } from "./find.ts";
import { PAGE_HEADERS } from "./page-headers.ts";

const SHARES = "site-shares";
/** An expired link says so for a month; then it is unknown. */
const REMEMBERED_MS = 30 * 86_400_000;

interface SharedReport {
  readonly jobId: string;
  readonly expiresAt: string;
}

export function shareHandlers(engine: Engine): BoundRoute[] {
  // The token alone opens a report, so the records of all tenants lie together.
  const shares = engine.records(SHARES);
  return [
    bind(siteRoutes.share, async ({ params, body, caller, traceId }) => {
      const job = await findRun(engine, params.jobId, caller);
      const token = randomBytes(18).toString("base64url");
      const expiresAt = new Date(Date.now() + body.expiresInMs).toISOString();
      const share: SharedReport = { jobId: job.jobId, expiresAt };
      await shares.put(token, share, { expiresInMs: body.expiresInMs + REMEMBERED_MS });
      await audited(engine, { caller, traceId }, "site report shared", { target: job.jobId, tenant: job.tenant });
      return { body: { url: `/site-reports/${token}`, expiresAt } };
    }),
    bind(siteRoutes.shared, async ({ params }) => {
      const share = (await shares.get(params.token))?.value as SharedReport | undefined;
      const job = share && (await engine.find(share.jobId));
      if (share === undefined || job === undefined) throw new AppError("not-found", "This link has no report.");
      if (Date.parse(share.expiresAt) <= Date.now()) {
        throw new AppError("share-expired", "This link has expired.", { hint: "Ask its sender for a new one." });
      }
      const headers = { ...PAGE_HEADERS, "x-robots-tag": "noindex, nofollow", "cache-control": "private, no-store" };
      return new Response(await reportPart(engine, job, "html"), { headers });
    }),
  ];
}
