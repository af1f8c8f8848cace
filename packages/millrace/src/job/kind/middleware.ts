import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../context.ts";

/**
 * Code that runs around every attempt of a processor. `next()` runs what is inside: the next middleware, and at last
 * the processor. It resolves to the processor's result and rejects with its error. Call it once, or throw. The value
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

export function isMiddlewareList(use: unknown): boolean {
  return use === undefined || (Array.isArray(use) && use.every((each) => typeof each === "function"));
}

export function checkMiddleware(what: string, use: unknown): void {
  if (isMiddlewareList(use)) return;
  throw new AppError("kind-invalid", `use of "${what}" must be an array of functions.`, {
    hint: "use: [async (ctx, next) => { … return next(); }]",
  });
}
