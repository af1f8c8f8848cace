import { type Option, other } from "../../lib/options/option.ts";
import type { Context } from "../context.ts";

/**
 * Code that runs around every attempt of a processor. `next()` runs the next middleware, and at last the processor. It
 * resolves to the processor's result and rejects with its error. Call it once, or throw. The value
 * that a middleware returns is ignored: the result of the job is the processor's.
 *
 * @example
 * ```ts
 * import type { Middleware } from "millrace";
 *
 * export const timed: Middleware = async (ctx, next) => {
 *   const startedAt = performance.now();
 *   try {
 *     return await next();
 *   } finally {
 *     ctx.log.info("attempt took", { ms: performance.now() - startedAt });
 *   }
 * };
 * ```
 */
export type Middleware<Payload = unknown> = (ctx: Context<Payload>, next: () => Promise<unknown>) => Promise<unknown>;

/** Middleware of a kind whose payload type is not known. */
export type AnyMiddleware = Middleware<never>;

export const MIDDLEWARE: Option<readonly AnyMiddleware[], undefined> = other(
  "an array of functions",
  (use) => Array.isArray(use) && use.every((each) => typeof each === "function"),
);
