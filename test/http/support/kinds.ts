// Kinds whose jobs end at once, never, or badly: one for each thing the API shows.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { z } from "zod";
import { RenderPayload } from "../../../packages/diagrams/src/api/render.ts";
import { defineKind, JobFailure } from "../../../packages/millrace/src/index.ts";
import { siteKind } from "../../../packages/sites/src/kind.ts";
import { SITE_DEFAULTS, type SiteSettings } from "../../../packages/sites/src/settings.ts";
import { trackKind } from "../../../packages/sites/src/tracks/track-kind.ts";

const anything = z.unknown();

function untilCancelled({ signal }: { signal: AbortSignal }): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

/** Ends only when it is cancelled. */
const waits = defineKind({ name: "waits", payload: anything, run: untilCancelled });

/** Its code never returns, so each of its processors is given up when its time is over. */
const hangs = defineKind({
  name: "hangs",
  payload: anything,
  processors: 2,
  timeoutMs: 100,
  maxAttempts: 1,
  run: () => new Promise<never>(() => {}),
});

const quick = defineKind({ name: "quick", payload: anything, run: (_ctx, payload) => ({ echo: payload ?? null }) });

const strict = defineKind({
  name: "strict",
  payload: z.strictObject({ name: z.string().max(10) }),
  run: (_ctx, { name }) => ({ name }),
});

/** Fails for good, with the code and message it is given. */
const fails = defineKind({
  name: "fails",
  payload: z.looseObject({ code: z.string().optional(), message: z.string().optional() }),
  run: (_ctx, { code = "broken", message = "It broke." }) => {
    throw new JobFailure(message, { code, permanent: true });
  },
});

/** Fails each time in the same way, so that it is retried first. */
const flaky = defineKind({
  name: "flaky",
  payload: anything,
  maxAttempts: 2,
  retry: { baseMs: 1, maxMs: 1 },
  run: () => {
    const cause = new AggregateError([new TypeError("inner")], "both failed");
    throw new JobFailure("It broke again.", { code: "flaky", cause });
  },
});

const notes = defineKind({
  name: "notes",
  payload: anything,
  run: async (ctx) => {
    const stepped = await ctx.step("count", () => ({ counted: 3 }));
    ctx.progress(0.5, "half of it");
    ctx.log.info("a line", { stepped });
    return { traceId: ctx.traceId ?? null, traceParent: ctx.traceParent ?? null };
  },
});

/** Keeps the artifacts that its payload has. */
const keeps = defineKind({
  name: "keeps",
  payload: z.array(z.strictObject({ name: z.string(), contentType: z.string().optional(), text: z.string() })),
  run: async (ctx, artifacts) => {
    for (const { name, contentType, text } of artifacts)
      await ctx.artifact(name, new TextEncoder().encode(text), contentType);
  },
});

/** Waits for a person, without a processor. */
const asks = defineKind({
  name: "asks",
  payload: anything,
  run: (ctx) => ctx.waitForApproval("ship", { title: "Ship it?", choices: ["yes", "no"], audience: ["ann", "bob"] }),
});

const holds = defineKind({ name: "holds", payload: anything, run: (ctx) => ctx.hold("needs review") });

const unique = defineKind({
  name: "unique",
  payload: z.strictObject({ site: z.string() }),
  uniqueKey: ({ site }) => site,
  run: untilCancelled,
});

/** Fails in its second stage when told to. */
const piped = defineKind({ name: "piped", payload: z.looseObject({ fail: z.boolean().optional() }) })
  .stage("fetch", { run: () => ({ fetched: true }) })
  .stage("form", {
    run: (ctx) => {
      if (ctx.payload.fail) throw new JobFailure("No form.", { code: "no-form", permanent: true });
      return { formed: true };
    },
  });

/** Paused by its own stage's word: `rendering` is what people see while it runs. */
const worded = defineKind({ name: "worded", payload: anything, stage: "rendering", run: untilCancelled });

/** The limit on running jobs that `limited` uses, and the name that tests override it by. */
export const SHARED_LIMITS = { gpu: { total: 4 } };

const limited = defineKind({
  name: "limited",
  payload: anything,
  concurrency: { limits: ["gpu"] },
  run: () => null,
});

/** Stands where the renderer stands, for tests of who may ask: what is drawn has tests of its own. */
const render = defineKind({
  name: "render",
  payload: RenderPayload,
  stage: "rendering",
  run: async (ctx, { source, format }) => {
    const bytes = new TextEncoder().encode(source);
    const info = { format, warnings: [] };
    const shortlink = await ctx.share({
      key: `${ctx.tenant} ${drawingKey(source)}`,
      contentType: "image/svg+xml",
      bytes,
      info,
    });
    return { shortlink, url: `/d/${shortlink}` };
  },
});

/** No name has an address here: what is submitted is never fetched. */
export const SITES: SiteSettings = {
  ...SITE_DEFAULTS,
  policy: { ports: [], allow: new Set(), resolve: () => Promise.reject(new Error("there is no network in tests")) },
};

export const KINDS = [
  waits,
  hangs,
  quick,
  strict,
  fails,
  flaky,
  notes,
  keeps,
  asks,
  holds,
  unique,
  piped,
  worded,
  limited,
  render,
  siteKind({ settings: SITES }),
  // Routes are what is tested: the looks of tracks fail here.
  trackKind({ settings: SITES, engine: () => assert.fail("no engine for tracks") }),
];

/** A key stands in the ETag of its drawing, so it has no characters of the source. */
function drawingKey(source: string): string {
  return createHash("sha256").update(source).digest("base64url");
}
