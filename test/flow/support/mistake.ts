// Helpers of the tests about mistakes that newcomers make.

import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { z } from "zod";
import { createClient } from "../../../packages/millrace/src/client/index.ts";
import { type Context, defineKind } from "../../../packages/millrace/src/index.ts";
import { Testkit } from "../../../packages/millrace/src/testing.ts";
import { run } from "../../support/program.ts";

/** A kind that takes any payload. */
export const anything = defineKind({ name: "anything", payload: z.any(), run: (_ctx, payload) => payload });
export const loose = (value: unknown) => value as never;
export const client = () => createClient({ baseUrl: "http://127.0.0.1:9" });

export async function withKit<T>(
  kinds: Parameters<typeof Testkit.open>[0]["kinds"],
  body: (kit: Testkit) => Promise<T>,
) {
  const kit = await Testkit.open(kinds ? { kinds } : {});
  try {
    return await body(kit);
  } finally {
    await kit.stop();
  }
}

/** Submits it, and throws as the caller of `submit` sees it. */
export const submit = (payload: unknown) => withKit([anything], ({ millrace }) => millrace.submit(anything, payload));

/** What the only attempt of such a processor is kept as, as the API shows it. */
export function attempt(processor: (ctx: Context<null>) => unknown): Promise<string> {
  const kind = defineKind({ name: "wrong", payload: z.null(), maxAttempts: 2, run: processor });
  return withKit([kind], async (kit) => {
    const job = await kit.millrace.submit(kind, null);
    const ended = await kit.finish(job).catch(() => undefined);
    const attempts = await kit.millrace.attempts(job.id);
    const logs = await kit.millrace.logs(job.id);
    const failures = attempts.flatMap(({ failure }) => {
      const { stack: _stack, ...rest } = failure ?? {};
      return failure ? [rest] : [];
    });
    return JSON.stringify({ attempts: attempts.length, failures, ended, logs: logs.map(({ message }) => message) });
  });
}

let embedded: Promise<string> | undefined;

/** All that an embedded engine without a log writes, of failing jobs, speaking children and a broken module. */
export async function words(t: TestContext): Promise<string> {
  embedded ??= (async () => {
    const program = run(t, [process.execPath, "test/flow/scripts/embedded.ts"]);
    await program.ended();
    return `${program.stdout()}\n${program.stderr()}`;
  })();
  return embedded;
}

export type Row = [row: number, mistake: string, does: (t: TestContext) => unknown, says: RegExp, code?: string];

export class CardDeclined extends Error {}

export class Hidden {
  readonly #secret = 1;
  read(): number {
    return this.#secret;
  }
}

export function cyclic(): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return value;
}

export function submitWith(options: object): Promise<unknown> {
  return withKit([anything], ({ millrace }) => millrace.submit(anything, 1, options as never));
}

/** A row with a code must throw that code; another row gives the words that its author would read. */
export function describeMistakes(rows: readonly Row[]): void {
  describe("a mistake is named, with the place and the next step", () => {
    for (const [row, mistake, does, says, code] of rows) {
      test(`${row}: ${mistake}`, async (t) => {
        if (code === undefined) return assert.match(String(await does(t)), says);
        const error = await (async () => does(t))().then(
          () => assert.fail("nothing was thrown"),
          (thrown: Error & { code?: string; hint?: string }) => thrown,
        );
        assert.equal(error.code, code, error.message);
        assert.match(`${error.message} ${error.hint ?? ""}`, says);
        return undefined;
      });
    }
  });
}
