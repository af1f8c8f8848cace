// A processor for isolated stages with middleware of its own: the middleware of the child gives it an async context.

import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, JobFailure, type Middleware } from "../../../packages/millrace/src/index.ts";

const inside = new AsyncLocalStorage<{ pid: number }>();

export const use: Middleware[] = [(_ctx, next) => inside.run({ pid: process.pid }, next)];

export type Order = "complete" | "fail" | "defer" | "die" | "wait";

export default async function wrapped(ctx: Context, order: Order): Promise<{ pid: number | undefined }> {
  if (order === "fail") throw new JobFailure("Too bad.", { code: "too-bad", permanent: true });
  if (order === "defer") ctx.defer({ delayMs: 3_600_000 }, "not now");
  if (order === "die") process.exit(7);
  if (order === "wait") await new Promise(() => {});
  ctx.log.info("from the child");
  return { pid: inside.getStore()?.pid };
}
