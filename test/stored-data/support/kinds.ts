// The kinds of the stored data. While the data is made, some of their jobs fail, wait or hang; later the same jobs succeed.

import { z } from "zod";
import type * as Engine from "../../../packages/millrace/src/index.ts";

/** The version of the engine that makes or reads the data: its `index.ts`. */
export type EngineModule = Pick<typeof Engine, "defineKind" | "JobFailure" | "Millrace" | "postgres" | "sqlite">;

export interface KindOptions {
  /** "1" has a report of three stages, "2" one of four. */
  readonly version: "1" | "2";
  /** True while the data is made: jobs of some kinds then do not succeed. */
  readonly making: boolean;
}

const FOREVER_MS = 3_153_600_000_000;
const Any = z.looseObject({});
const keep = { payload: Any, retention: { finishedMs: FOREVER_MS, deadLetterMs: FOREVER_MS } };

export function kindsOf({ defineKind, JobFailure }: EngineModule, { version, making }: KindOptions) {
  const mail = defineKind({
    ...keep,
    name: "mail",
    run: async (ctx, payload) => {
      await ctx.limit("post");
      const number = await ctx.step("number", () => 7);
      ctx.log.info("sending", { to: payload["to"] });
      ctx.log.warn("no receipt");
      ctx.progress(0.5, "half way");
      await ctx.artifact("letter.txt", new TextEncoder().encode(`Dear ${payload["to"]}`), "text/plain");
      return { number, to: payload["to"] };
    },
  });
  const drawn = defineKind({ ...keep, name: "report" }).stage("draw", { run: () => ({ drawn: true }) });
  const checked = version === "1" ? drawn : drawn.stage("check", { run: (_, input) => ({ ...input, checked: true }) });
  const report = checked
    .stage("review", {
      run: async (ctx, input) => {
        const [answer] = await ctx.answers();
        if (answer === undefined) ctx.hold("Somebody must look at it.");
        return { ...input, answer };
      },
    })
    .stage("send", { run: (_, input) => ({ ...input, sent: true }) });
  const flaky = defineKind({
    ...keep,
    name: "flaky",
    run: (ctx) => {
      if (making) throw withoutStack(new JobFailure("The other side is away.", { retryAfterMs: 60_000 }));
      return { attempt: ctx.attempt };
    },
  });
  const broken = defineKind({
    ...keep,
    name: "broken",
    run: (_, payload) => {
      if (making && payload["mended"] !== true)
        throw withoutStack(new JobFailure("It broke.", { code: "broken", permanent: true }));
      return { mended: true };
    },
  });
  const strict = defineKind({
    ...keep,
    name: "strict",
    inputFailures: ["bad-input"],
    run: () => {
      throw withoutStack(new JobFailure("This can never work.", { code: "bad-input", permanent: true }));
    },
  });
  const slow = defineKind({
    ...keep,
    name: "slow",
    processors: 1,
    uniqueKey: ({ once }) => (typeof once === "string" ? once : undefined),
    run: async (ctx) => {
      const begun = await ctx.step("begun", () => (making ? "while it was made" : "later"));
      ctx.progress(0.1, "begun");
      if (making) await new Promise(() => {});
      return { begun };
    },
  });
  const letter = defineKind({ ...keep, name: "letter", run: (_, payload) => ({ to: payload["to"] }) });
  const exact = defineKind({ ...keep, name: "exact", pinned: true, run: () => ({ done: true }) });
  const picture = defineKind({
    ...keep,
    name: "picture",
    recall: async (_, memory) => {
      const known = await memory.link("picture-1");
      return known && { result: known, share: "picture-1" };
    },
    run: async (ctx) => {
      const bytes = new TextEncoder().encode("<svg/>");
      const link = await ctx.share({ key: "picture-1", contentType: "image/svg+xml", bytes, info: { width: 10 } });
      return { link };
    },
  });
  return [mail, report, flaky, broken, strict, slow, letter, exact, picture];
}

/** A stack names folders of the machine that made the data. */
function withoutStack<E extends Error>(error: E): E {
  error.stack = `${error.name}: ${error.message}\n    at run (processor.ts:1:1)`;
  return error;
}
