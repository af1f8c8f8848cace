// The compiler is the test: `npm run types` reads this file, and nothing in it ever runs.

import { z } from "zod";
import { createClient } from "../../packages/millrace/src/client/index.ts";
import { defineKind } from "../../packages/millrace/src/index.ts";

const thumbnail = defineKind({ name: "thumbnail", payload: z.object({ url: z.string() }) }).stage("resize", {
  run: async () => ({ width: 7 }),
});
const single = defineKind({ name: "single", payload: z.number(), run: async (_ctx, n) => `${n}` });

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function expectType<_Equal extends true>(): void {}

export async function byKind() {
  const client = createClient({ baseUrl: "http://localhost" });
  const job = await client.submit(thumbnail, { url: "a" }, { priority: 5, runAt: new Date() });
  const result = await client.result(job);
  expectType<Equal<typeof result, { width: number }>>();
  const finished = await client.wait(job);
  expectType<Equal<typeof finished.result, { width: number } | undefined>>();
  // @ts-expect-error the payload has no such shape
  await client.submit(thumbnail, { address: "a" });
  // @ts-expect-error there is no such option
  await client.submit(thumbnail, { url: "a" }, { prioritiy: 5 });
}

export async function byNameAndType() {
  const client = createClient({ baseUrl: "http://localhost" });
  const job = await client.submit<typeof thumbnail>("thumbnail", { url: "a" });
  const { width } = await client.result(job);
  expectType<Equal<typeof width, number>>();
  // @ts-expect-error the payload has no such shape
  await client.submit<typeof thumbnail>("thumbnail", { address: "a" });
}

export async function byKindsOfTheClient() {
  const client = createClient<{ thumbnail: typeof thumbnail; single: typeof single }>({ baseUrl: "http://localhost" });
  const job = await client.submit("thumbnail", { url: "a" });
  expectType<Equal<typeof job.result, { width: number } | undefined>>();
  const text = await client.result(await client.submit("single", 3));
  expectType<Equal<typeof text, string>>();
  // @ts-expect-error no kind has that name
  await client.submit("thumbnial", { url: "a" });
  // @ts-expect-error the payload belongs to the other kind
  await client.submit("single", { url: "a" });
}

export async function withoutTypes() {
  const client = createClient({ baseUrl: "http://localhost" });
  const job = await client.submit("anything", { any: "thing" });
  const result = await client.result(job);
  expectType<Equal<typeof result, unknown>>();
  const typed = await client.result<{ width: number }>(job.jobId);
  expectType<Equal<typeof typed, { width: number }>>();
}

export async function answers() {
  const client = createClient({ baseUrl: "http://localhost" });
  for await (const job of client.jobs({ status: "failed", limit: 100, inProgress: false })) {
    expectType<Equal<typeof job.attempt, number>>();
  }
  const { perStage } = await client.metrics();
  expectType<Equal<(typeof perStage)[string]["queueSize"], number>>();
  const { secret } = await client.keys.create({ name: "ci", tenant: "acme", scopes: ["submit"] });
  expectType<Equal<typeof secret, string>>();
  // @ts-expect-error there is no such scope
  await client.keys.create({ name: "ci", tenant: "acme", scopes: ["write"] });
  // @ts-expect-error there is no such filter
  await client.list({ state: "failed" });
}

export async function deadLettersAndEvents() {
  const client = createClient({ baseUrl: "http://localhost" });
  await client.deadLetters.discard({ ids: ["job_4fQ81xZa"], dryRun: true });
  await client.deadLetters.discard({ kind: "thumbnail", until: "2026-11-15T00:00:00Z" });
  // @ts-expect-error ids are a list
  await client.deadLetters.discard({ ids: "job_4fQ81xZa" });
  await client.live(
    (event) => {
      if (event.type === "job") expectType<Equal<typeof event.data.jobId, string>>();
      // @ts-expect-error there is no such event
      if (event.type === "jobs") client.list();
    },
    { signal: AbortSignal.timeout(1) },
  );
}
