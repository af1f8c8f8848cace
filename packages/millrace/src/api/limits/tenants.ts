import { z } from "zod";
import { LEAST_WEIGHT, MOST_LIMIT, MOST_WEIGHT } from "../../job/options/tenant-limits.ts";
import { Tenant } from "../common.ts";
import { route } from "../route.ts";

const Most = z.int().min(0).max(MOST_LIMIT);

export const TenantLimits = z
  .strictObject({
    /** Jobs of the tenant that run at the same time. 0: no limit. */
    concurrency: Most.optional().meta({ description: "Jobs that run at the same time. 0 means no limit." }),
    /** Jobs that the tenant may submit in any period. A count of 0: no limit. */
    rate: z
      .strictObject({ count: Most, perMs: z.int().min(1) })
      .optional()
      .meta({ description: "New jobs in any period. A count of 0 means no limit." }),
    /** The tenant's share of the processors. */
    weight: z.number().min(LEAST_WEIGHT).max(MOST_WEIGHT).optional().meta({
      description: "The share of the processors while other tenants wait too. Default: 1.",
    }),
    /** Due pending jobs of the tenant in one stage. 0: no limit. */
    queueMax: Most.optional().meta({ description: "Due pending jobs of the tenant in one stage. 0 means no limit." }),
    /** While the tenant runs as many jobs as it may: "reject" refuses submissions, "queue" accepts them. */
    overflow: z.enum(["reject", "queue"]).optional().meta({
      description:
        "Submissions while the tenant is at its limit of running jobs: `reject` refuses them, `queue` accepts them.",
    }),
  })
  .meta({ id: "TenantLimits", description: "A missing value falls back to the settings of the server." });

const OwnLimits = z.strictObject({ tenant: z.string(), limits: TenantLimits });
const TenantParams = z.strictObject({ tenant: Tenant });

export const limitRoutes = {
  tenantLimits: route({
    method: "GET",
    path: "/tenants/{tenant}/limits",
    tag: "limits",
    summary: "Read a tenant's own limits. Empty if it has none.",
    access: "admin",
    params: TenantParams,
    status: 200,
    answer: OwnLimits,
  }),
  putTenantLimits: route({
    method: "PUT",
    path: "/tenants/{tenant}/limits",
    tag: "limits",
    summary: "Replace a tenant's own limits. They apply in all processes at once.",
    access: "root",
    params: TenantParams,
    body: TenantLimits,
    status: 200,
    answer: OwnLimits,
    example: { body: { concurrency: 5, rate: { count: 100, perMs: 60_000 }, weight: 2, queueMax: 1_000 } },
  }),
  removeTenantLimits: route({
    method: "DELETE",
    path: "/tenants/{tenant}/limits",
    tag: "limits",
    summary: "Delete a tenant's own limits. The settings of the server apply again.",
    access: "root",
    params: TenantParams,
    status: 204,
  }),
};
