import { z } from "zod";
import { Moment, Text } from "../common.ts";
import { route } from "../route.ts";

const Amount = z.number().positive();

const LimiterRule = z
  .strictObject({
    /** How much may be taken in one period. */
    count: z.int().min(1).max(1_000_000_000),
    /** The period, in milliseconds. */
    perMs: z
      .int()
      .min(1)
      .max(366 * 86_400_000),
    /** How much may be taken on one day, by all tenants together. */
    perDay: Amount.optional().meta({
      description: "The daily budget of all tenants together. Days begin at midnight UTC.",
    }),
    /** How much may be taken on one day by one tenant. */
    perTenantPerDay: Amount.optional().meta({ description: "The daily budget of each tenant." }),
  })
  .meta({ id: "LimiterRule" });

export const Limiter = z
  .strictObject({
    /** The name that `ctx.limit` uses. */
    name: z.string(),
    /** The rule in force. */
    rule: LimiterRule,
    /** True: an operator set the rule. */
    isSet: z.boolean().meta({ description: "True if an operator set the rule." }),
    /** The rule of the code. Missing: no process defines the limiter. */
    codeRule: LimiterRule.optional(),
    /** How much can be taken now. */
    left: z.number().meta({ description: "How much can be taken now." }),
    /** Nothing can be taken before then. */
    blockedUntil: Moment.optional(),
    /** The amount taken today, if there is a budget. */
    usedToday: z.number().optional().meta({ description: "The amount taken today, if there is a budget." }),
    /** The tenants that took most of it today, 20 at most. */
    tenants: z
      .array(
        z.strictObject({
          /** The name of the tenant. */
          tenant: z.string(),
          /** What it took. */
          used: z.number(),
        }),
      )
      .optional(),
  })
  .meta({ id: "Limiter" });

const Params = z.strictObject({ name: Text(200) });

export const limiterRoutes = {
  limiters: route({
    method: "GET",
    path: "/limiters",
    tag: "limits",
    summary: "List rate limiters with their rules, the amount left, blocks, and the use of their budgets.",
    access: "root",
    status: 200,
    answer: z.strictObject({ limiters: z.array(Limiter) }),
  }),
  putLimiter: route({
    method: "PUT",
    path: "/limiters/{name}",
    tag: "limits",
    summary: "Set the rule of a limiter. It overrides the rule in the code until it is reset.",
    access: "root",
    params: Params,
    body: LimiterRule,
    status: 200,
    answer: Limiter,
    example: { body: { count: 60, perMs: 60_000, perDay: 10_000 } },
  }),
  resetLimiter: route({
    method: "DELETE",
    path: "/limiters/{name}",
    tag: "limits",
    summary: "Reset a limiter to the rule in the code. A limiter that no code defines is deleted.",
    access: "root",
    params: Params,
    status: 204,
  }),
  unblockLimiter: route({
    method: "POST",
    path: "/limiters/{name}/unblock",
    tag: "limits",
    summary: "End the block of a limiter.",
    access: "root",
    params: Params,
    status: 200,
    answer: Limiter,
  }),
};
