// The compiler is the test: `npm run types` reads this file, and nothing in it ever runs.

import { z } from "zod";
import { defineKind, Millrace, sqlite, work } from "../../packages/millrace/src/index.ts";

const order = defineKind({
  name: "order",
  payload: z.object({ id: z.string(), at: z.coerce.date() }),
  result: z.object({ receipt: z.string(), cents: z.number() }),
  uniqueKey: ({ id }) => id,
});

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function expectType<_Equal extends true>(): void {}

export async function submitsWithFullTypes() {
  const millrace = await Millrace.open({ store: sqlite("x"), kinds: [order], work: false });
  const job = await millrace.submit(order, { id: "7", at: "2026-01-01" });
  const result = await job.wait();
  expectType<Equal<typeof result, { receipt: string; cents: number }>>();
  const later = await millrace.job(order, job.id).wait();
  expectType<Equal<typeof later, { receipt: string; cents: number }>>();
  const view = await millrace.job(order, job.id).view();
  expectType<Equal<NonNullable<typeof view>["result"], { receipt: string; cents: number } | undefined>>();
  expectType<Equal<Awaited<ReturnType<ReturnType<typeof millrace.job>["wait"]>>, unknown>>();
  // @ts-expect-error the payload has no such shape
  await millrace.submit(order, { name: "7" });
}

export const whole = work(order, { pinned: true, maxCrashes: 5, keep: "none" })
  .stage("charge", { run: async (_ctx, { id }) => ({ paid: id.length }) })
  .stage("write", { renamedFrom: "print", run: async (_ctx, { paid }) => ({ receipt: "r", cents: paid }) });

export function isWorkedOnWhereTheResultFits() {
  return Millrace.open({ store: sqlite("x"), kinds: [whole] });
}

export function isRefusedWhereTheLastStageReturnsSomethingElse() {
  const half = work(order).stage("charge", { run: async () => ({ receipt: 7 }) });
  // @ts-expect-error the contract's result has a receipt of text, and cents
  return Millrace.open({ store: sqlite("x"), kinds: [half] });
}

export function workOfOneStageIsItsOptionsAndItsProcessor() {
  const one = work(order, { maxAttempts: 5, keep: "none", run: async (_ctx, { id }) => ({ receipt: id, cents: 1 }) });
  // @ts-expect-error the processor is the only stage
  one.stage("more", { run: async () => 1 });
  const half = work(order, { run: async () => ({ receipt: 7 }) });
  // @ts-expect-error the contract's result has a receipt of text, and cents
  void Millrace.open({ store: sqlite("x"), kinds: [half] });
  // @ts-expect-error an option of the kind, misspelt
  work(order, { run: async () => ({ receipt: "r", cents: 1 }), maxAttemps: 5 });
  return Millrace.open({ store: sqlite("x"), kinds: [one] });
}

export function aContractHasNoWork() {
  // @ts-expect-error a contract has no stages
  order.stage("charge", { run: async () => 1 });
  // @ts-expect-error what concerns the work belongs to work()
  defineKind({ name: "a", payload: z.string(), result: z.string(), retention: { finishedMs: 1 } });
  // @ts-expect-error a contract has no processor
  defineKind({ name: "a", payload: z.string(), result: z.string(), run: async () => "a" });
  const kind = defineKind({ name: "a", payload: z.string(), run: async (_ctx, text) => text.length });
  // @ts-expect-error work() takes a contract
  work(kind);
}
