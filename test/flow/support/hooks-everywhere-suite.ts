// Hooks with `everywhere`: engines on one store hear of each other's jobs.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { defineKind, Millrace, type MillraceOptions } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";
import { until } from "../../support/until.ts";
import { gate } from "./engine.ts";

const echo = defineKind({ name: "echo", payload: z.object({ text: z.string() }), run: (_ctx, { text }) => text });
const other = defineKind({ name: "other", payload: z.null(), run: () => null });
const fails = defineKind({
  name: "fails",
  payload: z.null(),
  maxAttempts: 2,
  run: () => {
    throw new Error("always");
  },
});
const probe = defineKind({ name: "probe", payload: z.string(), run: () => null });
const kinds = [echo, other, fails, probe];

type OpenStore = () => Promise<{ store: () => MillraceOptions["store"]; remove(): Promise<void> }>;

export function describeHooksEverywhere(name: string, openStore: OpenStore): void {
  describe(`hooks with everywhere, on ${name}`, () => {
    test("hear of jobs that other processes submit and work on, of their kind only, with payload and result", async () => {
      await withEngines(openStore, async (open) => {
        const listener = await open({ kinds, work: false });
        const heard: unknown[] = [];
        const here: unknown[] = [];
        const hear = { kind: echo, everywhere: true };
        listener.on("submitted", ({ payload, isLocal }) => heard.push(["submitted", payload.text, isLocal]), hear);
        listener.on("completed", ({ result, isLocal }) => heard.push(["completed", result, isLocal]), hear);
        listener.on("completed", ({ kind }) => here.push(kind), { kind: echo });
        const worker = await open({ kinds });
        await untilHeard(worker, listener);

        // Longer than what is sent along: these are read from the job.
        const long = "x".repeat(50_000);
        await worker.submit(other, null);
        for (const text of ["short", long]) await (await worker.submit(echo, { text })).wait();
        const local = await listener.submit(echo, { text: "mine" });
        await local.wait({ timeoutMs: scaled(20_000) });
        await until("all is heard", () => heard.length >= 6);
        assert.deepEqual(
          heard.map(String).sort(),
          [
            ["completed", "mine", false],
            ["completed", "short", false],
            ["completed", long, false],
            ["submitted", "mine", true],
            ["submitted", "short", false],
            ["submitted", long, false],
          ].map(String),
        );
        assert.deepEqual(here, [], "without everywhere nothing of other processes is heard");
      });
    });

    test("hear of failures, and of a cancel in yet another process", async () => {
      const { opened, open: release } = gate();
      const waits = defineKind({ name: "waits", payload: z.null(), run: () => opened });
      await withEngines(openStore, async (open) => {
        const listener = await open({ kinds, work: false });
        const heard: string[] = [];
        const everywhere = { everywhere: true };
        listener.on(
          "attemptFailed",
          (event) => heard.push(`attempt ${event.attempt}: ${event.failure.message}`),
          everywhere,
        );
        listener.on(
          "failed",
          (event) => heard.push(`failed ${event.isDeadLetter} ${event.at.getTime() > 0}`),
          everywhere,
        );
        listener.on("cancelled", (event) => heard.push(`cancelled: ${event.reason}`), everywhere);
        const worker = await open({ kinds: [...kinds, waits] });
        const canceller = await open({ kinds, work: false });
        await untilHeard(worker, listener);
        await untilHeard(canceller, listener);
        await (await worker.submit(fails, null)).wait().catch(() => {});
        await until("the failures are heard", () => heard.length >= 3);
        const job = await worker.submit(waits, null);
        await canceller.cancel(job.id, "Enough.");
        await until("the cancel is heard", () => heard.length >= 4);
        assert.deepEqual(heard, ["attempt 1: always", "attempt 2: always", "failed true true", "cancelled: Enough."]);
        release();
      });
    });

    test("what a process does just before it stops is heard", async () => {
      await withEngines(openStore, async (open) => {
        const listener = await open({ kinds, work: false });
        const heard: string[] = [];
        listener.on("submitted", ({ payload }) => heard.push(payload.text), { kind: echo, everywhere: true });
        await untilHeard(await open({ kinds, work: false }), listener);
        const short = await open({ kinds, work: false });
        await short.submit(echo, { text: "last words" });
        await short.stop();
        await until("it is heard", () => heard.length > 0);
        assert.deepEqual(heard, ["last words"]);
      });
    });
  });
}

/** The sender knows that the listener listens: it submits probes until one is heard. */
async function untilHeard(sender: Millrace, listener: Millrace): Promise<void> {
  const id = randomUUID();
  const heard: string[] = [];
  const off = listener.on("submitted", ({ payload }) => heard.push(payload), { kind: probe, everywhere: true });
  await until("a probe is heard", async () => {
    await sender.submit(probe, id);
    await pause(100);
    return heard.includes(id);
  });
  off();
}

async function withEngines(
  openStore: OpenStore,
  body: (open: (options: Partial<MillraceOptions>) => Promise<Millrace>) => Promise<void>,
): Promise<void> {
  const { store, remove } = await openStore();
  const opened: Millrace[] = [];
  try {
    await body(async (options) => {
      const settings = { retryBaseMs: 1, retryMaxMs: 1, shutdownGraceMs: 0, durability: "normal", log: false } as const;
      const millrace = await Millrace.open({ store: store(), ...settings, ...options });
      opened.push(millrace);
      return millrace;
    });
  } finally {
    for (const millrace of opened) await millrace.stop({ hurry: true });
    await remove();
  }
}
