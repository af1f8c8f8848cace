// runtimes: both

import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  trace,
} from "@opentelemetry/api";
import { z } from "zod";
import { temporaryFolder } from "../../../../test/support/program.ts";
import { defineKind } from "../job/kind/define-kind.ts";
import type { Kind } from "../job/kind/kind.ts";
import { Testkit } from "../testing.ts";
import { processSpan, submitSpan } from "./spans.ts";

const PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

describe("a trace parent", () => {
  test("goes with the job to its processor, whatever the stage, and stays out of sight", async (t) => {
    const kind = defineKind({ name: "two", payload: z.unknown() })
      .stage("first", { run: async (ctx) => ctx.traceParent })
      .stage("second", { run: async (ctx, before) => [before, ctx.traceParent, ctx.traceId] });
    const kit = await open(t, kind);
    const handle = await kit.millrace.submit(kind, 1, { traceId: "mine", traceParent: PARENT });
    assert.deepEqual(await kit.finish(handle), [PARENT, PARENT, "mine"]);
    const view = await handle.view();
    assert.equal(view?.traceId, "mine");
    assert.ok(!JSON.stringify({ ...view, result: null }).includes(PARENT));
  });

  test("goes on to a child process", async (t) => {
    const path = join(temporaryFolder(t), "tell.mjs");
    writeFileSync(path, "export default async (ctx) => [ctx.traceId, ctx.traceParent];");
    const kind = defineKind({
      name: "isolated",
      payload: z.unknown(),
      isolation: "process",
      processors: 1,
      module: pathToFileURL(path),
    });
    const kit = await open(t, kind);
    assert.deepEqual(await kit.run(kind, 1, { traceParent: PARENT }), [PARENT.slice(3, 35), PARENT]);
  });

  test("that is none is refused with a sentence", async (t) => {
    const kit = await open(t, echo);
    await assert.rejects(kit.millrace.submit(echo, 1, { traceParent: "nonsense" }), { code: "invalid-request" });
  });

  test("makes no other request of the same one", async (t) => {
    const kit = await open(t, echo);
    const first = await kit.millrace.submit(echo, 1, { idempotencyKey: "k" });
    const again = await kit.millrace.submit(echo, 1, { idempotencyKey: "k", traceParent: PARENT });
    assert.deepEqual([again.id, again.replayed], [first.id, true]);
  });
});

test("without an SDK no span is made", () => {
  const about = { kind: "mail", stage: "running", tenant: "t", jobId: "j", attempt: 1, traceParent: PARENT };
  assert.equal(processSpan(about), undefined);
  assert.equal(submitSpan({ ...about, jobs: 1 }), undefined);
});

describe("with an SDK", () => {
  let spans: RecordedSpan[] = [];

  beforeEach(() => {
    spans = [];
    trace.setGlobalTracerProvider({ getTracer: () => recorder(spans) as never });
    context.setGlobalContextManager(new LocalContext());
  });
  afterEach(() => {
    trace.disable();
    context.disable();
  });

  test("a submission is a child of what the caller gave, and each attempt one of the submission", async (t) => {
    const kit = await open(t, flaky);
    assert.equal(await kit.run(flaky, 1, { traceParent: PARENT, tenant: "acme" }), "fine");
    const [submit, first, second] = spans;
    assert.deepEqual(
      spans.map(({ name, status, ended }) => [name, status?.message, ended]),
      [
        ["submit flaky", undefined, 1],
        ["process flaky/running", "Not yet.", 1],
        ["process flaky/running", undefined, 1],
      ],
    );
    assert.equal(submit?.parent?.spanId, "00f067aa0ba902b7");
    assert.equal(first?.parent?.spanId, submit?.own.spanId);
    assert.equal(second?.parent?.spanId, submit?.own.spanId);
    assert.equal(second?.own.traceId, PARENT.slice(3, 35));
    assert.partialDeepStrictEqual(second?.attributes, {
      "millrace.kind": "flaky",
      "millrace.tenant": "acme",
      "millrace.attempt": 2,
      "millrace.outcome": "completed",
    });
  });

  test("what a processor traces is a child of its attempt, which it can pass on", async (t) => {
    const kind = defineKind({
      name: "tracer",
      payload: z.unknown(),
      run: async (ctx) => {
        await Promise.resolve();
        trace.getTracer("own").startSpan("inside").end();
        return ctx.traceParent;
      },
    });
    const kit = await open(t, kind);
    const traceParent = await kit.run(kind, 1);
    const attempt = spans.find(({ name }) => name === "process tracer/running");
    const inside = spans.find(({ name }) => name === "inside");
    assert.equal(inside?.parent?.spanId, attempt?.own.spanId);
    assert.equal(traceParent, `00-${attempt?.own.traceId}-${attempt?.own.spanId}-01`);
  });

  test("a refused submission and a cancelled attempt end their spans with the reason", async (t) => {
    let started = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const endless = defineKind({
      name: "endless",
      payload: z.unknown(),
      uniqueKey: () => "one",
      run: (ctx) =>
        new Promise((_, reject) => {
          ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason));
          started();
        }),
    });
    const kit = await open(t, endless);
    const handle = await kit.millrace.submit(endless, 1);
    await running;
    await assert.rejects(kit.millrace.submit(endless, 1), { code: "already-processing" });
    await handle.cancel();
    assert.deepEqual(
      spans.map(({ attributes, status, ended }) => [attributes["millrace.outcome"], status?.message, ended]),
      [
        ["accepted", undefined, 1],
        ["lost", "cancelled", 1],
        ["refused", 'A job with the unique key "one" is running.', 1],
      ],
    );
  });
});

const echo = defineKind({ name: "echo", payload: z.unknown(), run: async (_ctx, input) => input });
const flaky = defineKind({
  name: "flaky",
  payload: z.unknown(),
  run: async (ctx) => {
    if (ctx.attempt === 1) throw new Error("Not yet.");
    return "fine";
  },
});

async function open(t: TestContext, kind: Kind<unknown, unknown>): Promise<Testkit> {
  const kit = await Testkit.open({ kinds: [kind] });
  t.after(() => kit.stop());
  return kit;
}

interface RecordedSpan {
  name: string;
  own: SpanContext;
  parent: SpanContext | undefined;
  attributes: Record<string, unknown>;
  status?: SpanStatus;
  ended: number;
}

/** As little of an SDK as spans need. */
function recorder(spans: RecordedSpan[]) {
  return {
    startSpan(name: string, options: SpanOptions = {}, from: Context = context.active()): Span {
      const parent = options.root ? undefined : trace.getSpanContext(from);
      const spanId = (spans.length + 1).toString(16).padStart(16, "0");
      const own = { traceId: parent?.traceId ?? "f".repeat(32), spanId, traceFlags: 1 };
      const recorded: RecordedSpan = { name, own, parent, attributes: { ...options.attributes }, ended: 0 };
      spans.push(recorded);
      return {
        spanContext: () => own,
        setAttribute: (key: string, value: unknown) => {
          recorded.attributes[key] = value;
        },
        setStatus: (status: SpanStatus) => {
          recorded.status = status;
        },
        end: () => {
          recorded.ended++;
        },
      } as unknown as Span;
    },
  };
}

class LocalContext implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active = () => this.#storage.getStore() ?? ROOT_CONTEXT;
  with = ((ctx: Context, fn: (...args: never[]) => unknown, self: unknown, ...args: never[]) =>
    this.#storage.run(ctx, () => fn.apply(self, args))) as ContextManager["with"];
  bind = <T>(_ctx: Context, target: T) => target;
  enable = () => this;
  disable = () => this;
}
