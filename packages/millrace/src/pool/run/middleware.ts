// Middleware around a processor, the first of the list outermost. Whatever a middleware does, three things hold: the
// processor runs at most once, the attempt lasts until the processor has ended, and what the processor threw counts.

import type { Context, Processor } from "../../job/context.ts";
import { JobFailure } from "../../job/failure.ts";
import type { AnyMiddleware, Middleware } from "../../job/kind/middleware.ts";
import { yieldedIn } from "../context/yielded.ts";

type Run = Processor<unknown, unknown, unknown>;

/** The processor itself if there is no middleware, so that kinds without any pay nothing. */
export function withMiddleware(use: readonly AnyMiddleware[], run: Run): Run {
  if (use.length === 0) return run;
  const layers = use as unknown as readonly Middleware[];
  return (ctx, input) => runLayer(layers, 0, ctx, async () => run(ctx, input));
}

async function runLayer(
  layers: readonly Middleware[],
  depth: number,
  ctx: Context,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const middleware = layers[depth];
  if (!middleware) return run();
  const inside = new InnerCall(nameOf(middleware, depth), () => runLayer(layers, depth + 1, ctx, run));
  try {
    await middleware(ctx, inside.next);
  } catch (thrown) {
    await inside.ended();
    inside.rethrowYield();
    throw thrown;
  }
  if (inside.isRunning) ctx.log.warn(`${inside.name} returned before next() had ended. Add an await.`);
  return inside.outcome();
}

function nameOf({ name }: Middleware, depth: number): string {
  return name ? `The middleware "${name}"` : `The middleware number ${depth + 1}`;
}

type InnerOutcome = { value: unknown } | { error: unknown };

/** What one middleware wraps, and how it ended. */
class InnerCall {
  readonly name: string;
  readonly #run: () => Promise<unknown>;
  #running: Promise<InnerOutcome> | undefined;
  #ended: InnerOutcome | undefined;
  #misuse: JobFailure | undefined;
  #isClosed = false;

  constructor(name: string, run: () => Promise<unknown>) {
    this.name = name;
    this.#run = run;
  }

  /** A middleware that does not wait for it leaves no unhandled rejection behind: `outcome` tells what happened. */
  readonly next = (): Promise<unknown> => {
    const next = this.#next();
    next.catch(() => {});
    return next;
  };

  async #next(): Promise<unknown> {
    if (this.#running || this.#isClosed) {
      this.#misuse = new JobFailure(`${this.name} called next() twice, or after it had returned.`, {
        code: "middleware-misused",
        permanent: true,
      });
      throw this.#misuse;
    }
    this.#running = this.#follow();
    return resultOf(await this.#running);
  }

  async #follow(): Promise<InnerOutcome> {
    try {
      this.#ended = { value: await this.#run() };
    } catch (error) {
      this.#ended = { error };
    }
    return this.#ended;
  }

  get isRunning(): boolean {
    return this.#running !== undefined && this.#ended === undefined;
  }

  async ended(): Promise<InnerOutcome | undefined> {
    this.#isClosed = true;
    return this.#running;
  }

  /** `ctx.defer`, `ctx.hold` and `ctx.limit` get through a middleware that turns every error into one of its own. */
  rethrowYield(): void {
    if (this.#ended && "error" in this.#ended && yieldedIn(this.#ended.error)) throw this.#ended.error;
  }

  /** Also the error of a processor whose middleware caught it: there is no result that could be settled instead. */
  async outcome(): Promise<unknown> {
    const ended = await this.ended();
    if (this.#misuse) throw this.#misuse;
    if (ended) return resultOf(ended);
    throw new JobFailure(`${this.name} returned without calling next(), so the processor did not run.`, {
      code: "middleware-misused",
      permanent: true,
    });
  }
}

function resultOf(ended: InnerOutcome): unknown {
  if ("error" in ended) throw ended.error;
  return ended.value;
}
