import fc from "fast-check";
import type { Outcome } from "../../../job/lifecycle.ts";

/** `which` is a place in all leases, or all jobs, there have been; `stale` asks for a lease whose job another one has. */
export type ModelCommand = { by: number } & (
  | { type: "submit"; spec: Spec; key?: { key: string; fingerprint: string } }
  | {
      type: "claim";
      stage: number;
      room: number;
      suspects: number;
      suspectsFirst: boolean;
      grouped: boolean;
      timeoutMs: number;
    }
  | { type: "settle"; which: number; stale: boolean; outcome: Outcome }
  | { type: "write"; which: number; stale: boolean; what: "note" | "step" | "renew" }
  | { type: "advance"; ms: number }
  | { type: "beat" }
  | { type: "drain" }
  | { type: "pause"; paused: boolean }
  | { type: "prune" }
  | { type: "cancel" | "release" | "forget" | "revive" | "revive-start"; which: number }
);

interface Spec {
  tenant: string;
  priority?: number;
  delayMs?: number;
  maxAttempts?: number;
  expiresInMs?: number;
  uniqueKey?: string;
}

const failure = (code: string, more: { permanent?: boolean; input?: boolean } = {}) => ({
  code,
  message: code,
  permanent: false,
  ...more,
});
const LARGE = JSON.stringify("x".repeat(2_000));

const outcomes: fc.Arbitrary<Outcome> = fc.constantFrom<Outcome[]>(
  { type: "completed", result: "1" },
  { type: "completed", result: "2" },
  { type: "completed", result: LARGE },
  { type: "failed", failure: failure("broken") },
  { type: "failed", failure: failure("later"), retryAfterMs: 3_000 },
  { type: "failed", failure: failure("never", { permanent: true }) },
  { type: "failed", failure: failure("input", { permanent: true, input: true }) },
  { type: "crashed", failure: failure("crashed") },
  { type: "deferred", delayMs: 500 },
  { type: "held", reason: "r" },
  { type: "released" },
);

const by = fc.nat({ max: 1 });
const tenant = fc.constantFrom("a", "b", "c");
// Recent leases and jobs are the more telling ones, old ones must be there too.
const which = fc.oneof(
  fc.double({ min: 0, max: 0.999, noNaN: true }),
  fc.double({ min: 0.8, max: 0.999, noNaN: true }),
);
const stale = fc.nat({ max: 4 }).map((n) => n === 0);

const spec: fc.Arbitrary<Spec> = fc.record(
  {
    tenant,
    priority: fc.integer({ min: -1, max: 1 }),
    delayMs: fc.constantFrom(0, 100, 2_000),
    maxAttempts: fc.integer({ min: 1, max: 3 }),
    expiresInMs: fc.constantFrom(1_000, 20_000),
    uniqueKey: fc.constantFrom("u", "v"),
  },
  { requiredKeys: ["tenant"] },
);
const key = fc.record({ key: fc.constantFrom("k", "l"), fingerprint: fc.constantFrom("one", "two") });

const submit = fc.record({ type: fc.constant("submit" as const), by, spec });
const submitKeyed = fc.record({ type: fc.constant("submit" as const), by, spec, key });
const claim = fc.record({
  type: fc.constant("claim" as const),
  by,
  stage: fc.nat({ max: 1 }),
  room: fc.integer({ min: 1, max: 5 }),
  suspects: fc.nat({ max: 4 }),
  suspectsFirst: fc.boolean(),
  grouped: fc.boolean(),
  timeoutMs: fc.constantFrom(5_000, 1_000_000),
});
const settle = fc.record({ type: fc.constant("settle" as const), by, which, stale, outcome: outcomes });
const write = fc.record({
  type: fc.constant("write" as const),
  by,
  which,
  stale,
  what: fc.constantFrom("note" as const, "step" as const, "renew" as const),
});
const advance = fc.record({
  type: fc.constant("advance" as const),
  by,
  ms: fc.constantFrom(1, 100, 500, 1_000, 6_000, 15_000, 3_600_000),
});
const beat = fc.record({ type: fc.constant("beat" as const), by });
// Of one process only: what it does is for good, and the other's deaths must count.
const drain = fc.record({ type: fc.constant("drain" as const), by: fc.constant(1) });
const pause = fc.record({ type: fc.constant("pause" as const), by, paused: fc.boolean() });
const prune = fc.record({ type: fc.constant("prune" as const), by });
const control = fc.record({
  type: fc.constantFrom(
    "cancel" as const,
    "release" as const,
    "forget" as const,
    "revive" as const,
    "revive-start" as const,
  ),
  by,
  which,
});

export const commands: fc.Arbitrary<ModelCommand> = fc.oneof(
  { arbitrary: submit, weight: 14 },
  { arbitrary: submitKeyed, weight: 3 },
  { arbitrary: claim, weight: 16 },
  { arbitrary: settle, weight: 18 },
  { arbitrary: write, weight: 6 },
  { arbitrary: advance, weight: 10 },
  { arbitrary: beat, weight: 4 },
  { arbitrary: drain, weight: 1 },
  { arbitrary: pause, weight: 2 },
  { arbitrary: prune, weight: 1 },
  { arbitrary: control, weight: 10 },
) as fc.Arbitrary<ModelCommand>;
