// Compiled by tsc, never run: a hook that names its kind knows its payload and result; middleware knows the payload.

import { z } from "zod";
import {
  type CompletedEvent,
  defineKind,
  type FailedEvent,
  type Failure,
  type HookOptions,
  type JobEvents,
  type Middleware,
  type Millrace,
  work,
} from "../../packages/millrace/src/index.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

declare const millrace: Millrace;

const payload = z.object({ at: z.coerce.date<Date>(), size: z.number().default(10) });
const kind = defineKind({ name: "one", payload, run: (_ctx, { size }) => ({ bytes: size, when: new Date() }) });

// The payload is what was submitted, as JSON: before the transforms of the schema.
type Submitted = { at: string; size?: number };
millrace.on(
  "completed",
  (event) => {
    same<typeof event, CompletedEvent<Submitted, { bytes: number; when: string }>>(true);
    same<typeof event.result, { bytes: number; when: string }>(true);
  },
  { kind },
);
export const off: () => void = millrace.on("failed", async (event) => same<typeof event.failure, Failure>(true), {
  kind,
  everywhere: true,
});

// Without a kind, or with its name, nothing is known of payload and result.
millrace.on("failed", (event) => same<typeof event, FailedEvent>(true));
millrace.on("completed", ({ payload, result }) => same<[typeof payload, typeof result], [unknown, unknown]>(true), {
  kind: "one",
});
// A hook that is written apart from its subscription.
const alert = ({ jobId, failure }: JobEvents["failed"]) => `${jobId}: ${failure.code}`;
millrace.on("failed", alert);
millrace.on("failed", alert, { kind });
export const options: HookOptions = { everywhere: true, signal: AbortSignal.timeout(1) };

// @ts-expect-error there is no such event
millrace.on("finished", () => {});
// @ts-expect-error only `completed` has a result
millrace.on("started", ({ result }) => result);
// @ts-expect-error there is no such option
millrace.on("started", () => {}, { tenant: "a" });
// @ts-expect-error the hook takes another payload
millrace.on("started", (event: JobEvents<{ url: string }>["started"]) => event, { kind });

// Middleware of any payload fits every place; that of a kind sees the parsed payload.
const any: Middleware = async (ctx, next) => {
  same<typeof ctx.payload, unknown>(true);
  const result = await next();
  same<typeof result, unknown>(true);
};
defineKind({
  name: "two",
  payload,
  use: [any, (ctx, next) => next().then(() => same<typeof ctx.payload, { at: Date; size: number }>(true))],
  run: (_ctx, { size }) => size,
});
defineKind({ name: "three", payload, use: [any] }).stage("only", {
  use: [any, (ctx, next) => next().then(() => same<typeof ctx.payload, { at: Date; size: number }>(true))],
  run: (_ctx, { size }) => size,
});
const contract = defineKind({ name: "four", payload, result: z.number() });
work(contract, { use: [any, (ctx, next) => next().then(() => same<typeof ctx.payload.size, number>(true))] }).stage(
  "only",
  {
    isolation: "process",
    module: new URL("file:///x.ts"),
    use: [(ctx, next) => next().then(() => same<typeof ctx.payload.size, number>(true))],
  },
);
// @ts-expect-error a contract has no processor to wrap
defineKind({ name: "five", payload, result: z.number(), use: [any] });
// @ts-expect-error it must return a promise: one that does not wait for next() is a mistake
export const hasty: Middleware = (_ctx, next) => {
  void next();
};
// @ts-expect-error it takes another payload
defineKind({ name: "six", payload, use: [any as Middleware<{ url: string }>], run: () => null });
