// Mistakes that newcomers make, and what must be said about each. The numbers are those of the study that found them; what it
// found clear is tested elsewhere. A row either throws, or gives the words that its author would read.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { createClient } from "../../packages/millrace/src/client/index.ts";
import { defineKind, JobFailure, Millrace, sqlite } from "../../packages/millrace/src/index.ts";
import { RUNTIME, run } from "../support/program.ts";
import {
  anything,
  attempt,
  CardDeclined,
  client,
  cyclic,
  describeMistakes,
  Hidden,
  loose,
  type Row,
  submit,
  submitWith,
  withKit,
  words,
} from "./support/mistake.ts";
import { describeWeakRows } from "./support/weak-rows.ts";

const ROWS: Row[] = [
  [1, "open()", () => Millrace.open(loose(undefined)), /needs an object with a store.*sqlite\(/, "options-invalid"],
  [
    3,
    "open({ concurrency })",
    () => Millrace.open(loose({ store: sqlite(":memory:"), concurrency: 5 })),
    /Unknown option "concurrency" for Millrace\.open\(\)\. Did you mean "processors"\?/,
    "options-invalid",
  ],
  [
    5,
    "new Millrace()",
    () => new (Millrace as unknown as new () => unknown)(),
    /Use Millrace\.open\(\)/,
    "options-invalid",
  ],
  [
    18,
    "run and then .stage()",
    () => (anything as unknown as { stage(name: string): void }).stage("next"),
    /kind "anything" has a run function, so it cannot have stages.*first \.stage/,
    "kind-invalid",
  ],
  [
    19,
    "maxAttempts on a kind with stages",
    () => defineKind({ name: "k", payload: z.null(), maxAttempts: 3 } as never),
    /"maxAttempts" is an option of a stage, not of kind "k".*\.stage\(name, \{ maxAttempts \}\)/,
    "kind-invalid",
  ],
  [
    23,
    "a BigInt in a payload",
    () => submit({ a: [{ id: 1n }] }),
    /"a\.0\.id" is a BigInt.*String\(/,
    "invalid-request",
  ],
  [
    23,
    "a cycle in a payload",
    () => submit(cyclic()),
    /"self" is a reference to an object that contains it/,
    "invalid-request",
  ],
  [
    24,
    "a payload of undefined",
    () => submit(undefined),
    /payload for the kind "anything" is missing.*null/,
    "invalid-request",
  ],
  [
    25,
    "undefined in an array",
    () => submit({ a: undefined, b: [undefined] }),
    /"b\.0" is undefined/,
    "invalid-request",
  ],
  [26, "a Map", () => submit({ m: new Map() }), /"m" is a Map.*Object\.fromEntries/, "invalid-request"],
  [26, "a Set", () => submit({ s: new Set() }), /"s" is a Set.*\[\.\.\.set\]/, "invalid-request"],
  [27, "NaN", () => submit({ n: Number.NaN }), /"n" is NaN/, "invalid-request"],
  [27, "Infinity", () => submit([Number.POSITIVE_INFINITY]), /"0" is Infinity/, "invalid-request"],
  [28, "a function", () => submit({ f: () => 1 }), /"f" is a function/, "invalid-request"],
  [28, "a symbol", () => submit({ s: Symbol("x") }), /"s" is a symbol/, "invalid-request"],
  [29, "a Buffer", () => submit({ b: Buffer.from("x") }), /"b" is a Buffer.*base64/, "invalid-request"],
  [
    30,
    "a Date with z.any(), which is a string for run",
    () => withKit([anything], (kit) => kit.run(anything, { at: new Date(0) })).then(JSON.stringify),
    /^\{"at":"1970-01-01T00:00:00\.000Z"\}$/,
  ],
  [
    31,
    "a Date with z.date()",
    () => {
      const kind = defineKind({ name: "dated", payload: z.object({ when: z.date() }), run: () => 1 });
      return withKit([kind], ({ millrace }) => millrace.submit(kind, { when: new Date() }));
    },
    /at "when": the schema expects a Date, which JSON turns into a string.*z\.coerce\.date\(\)/,
    "invalid-request",
  ],
  [
    34,
    "runAt as a string",
    () => submitWith({ runAt: "2026-01-01" }),
    /^runAt must be a valid Date\./,
    "invalid-request",
  ],
  [
    34,
    "an invalid runAt",
    () => submitWith({ runAt: new Date(Number.NaN) }),
    /^runAt must be a valid Date\./,
    "invalid-request",
  ],
  [
    39,
    "uniqueKey throws",
    () => {
      const uniqueKey = (payload: { to: string }) => payload.to.trim();
      const kind = defineKind({ name: "mail", payload: z.any(), uniqueKey, run: () => 1 });
      return withKit([kind], ({ millrace }) => millrace.submit(kind, {}));
    },
    /^uniqueKey of kind "mail" threw: /,
    "kind-invalid",
  ],
  [
    39,
    "the schema throws",
    () => {
      const payload = z.any().transform((value) => value.to.trim());
      const kind = defineKind({ name: "mail", payload, run: () => 1 });
      return withKit([kind], ({ millrace }) => millrace.submit(kind, {}));
    },
    /^The payload schema of kind "mail" threw: /,
    "kind-invalid",
  ],
  [
    41,
    "the third of many payloads is wrong",
    () => withKit([anything], ({ millrace }) => millrace.submitMany(anything, [1, 2, { n: 1n }])),
    /^The job at index 2: .*"n" is a BigInt/,
    "invalid-request",
  ],
  [
    44,
    "await forgotten on open()",
    async () => {
      const opening = Millrace.open({ store: sqlite(":memory:"), log: false }) as unknown as Millrace;
      try {
        void opening.submit(anything, 1);
      } finally {
        await (await (opening as unknown as Promise<Millrace>)).stop();
      }
    },
    /^Millrace\.open\(\) returns a Promise\. Add await before it\./,
    "await-missing",
  ],
  [
    45,
    "wait() with no worker anywhere",
    async () => {
      const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [anything], work: false, log: false });
      try {
        await (await millrace.submit(anything, 1)).wait({ timeoutMs: 20 });
      } finally {
        await millrace.stop();
      }
    },
    /was not finished within 20 ms.*No process serves "anything\/running"/,
    "wait-timeout",
  ],
  [
    46,
    'job("nonsense").wait()',
    () => withKit([], ({ millrace }) => millrace.job("nonsense").wait()),
    /"nonsense" is not a job id\. Ids look like job_/,
    "job-not-found",
  ],
  [
    54,
    "throw undefined",
    () => attempt(() => Promise.reject(undefined)),
    /The processor threw undefined.*Throw an Error/,
  ],
  [54, "throw null", () => attempt(() => Promise.reject(null)), /The processor threw null.*Throw an Error/],
  [
    55,
    "an AggregateError",
    () => attempt(() => Promise.any([Promise.reject(new Error("one")), Promise.reject(new Error("two"))])),
    /"name":"AggregateError","errors":\[\{"name":"Error","message":"one"\},\{"name":"Error","message":"two"\}\]/,
  ],
  [
    56,
    "an error with a cause",
    () => attempt(() => Promise.reject(new Error("outer", { cause: new TypeError("inner") }))),
    /"message":"outer".*"cause":\{"name":"TypeError","message":"inner"\}/,
  ],
  [
    57,
    "an error class of one's own",
    () => attempt(() => Promise.reject(Object.assign(new CardDeclined("no"), { code: "card_declined" }))),
    /"code":"processor-failed","message":"no".*"name":"CardDeclined","errorCode":"card_declined"/,
  ],
  [
    58,
    "a result with a BigInt",
    () => attempt(() => ({ id: 1n })),
    /^\{"attempts":1,.*result cannot be stored.*\\"id\\" is a BigInt/,
  ],
  [58, "a result with a cycle", () => attempt(cyclic), /^\{"attempts":1,.*\\"self\\" is a reference/],
  [58, "a function as result", () => attempt(() => () => 1), /^\{"attempts":1,.*it is a function/],
  [59, "a Map as result", () => attempt(() => new Map()), /^\{"attempts":1,.*it is a Map/],
  [
    59,
    "an instance with private fields as result",
    () => attempt(() => new Hidden()),
    /instance of Hidden, which JSON cannot store/,
  ],
  [60, "no result, which is null", () => attempt(() => undefined), /"failures":\[\],"ended":null/],
  [
    64,
    "step(fn) without a name",
    () =>
      attempt((ctx) =>
        ctx.step(
          loose(() => 1),
          loose(undefined),
        ),
      ),
    /ctx\.step\(\) needs a name and a function/,
  ],
  [65, 'step("a", 5)', () => attempt((ctx) => ctx.step("a", loose(5))), /ctx\.step\(\) needs a name and a function/],
  [
    66,
    "a step not awaited",
    () =>
      attempt((ctx) => {
        void ctx.step("mail", () => new Promise((resolve) => setImmediate(resolve, 1)));
      }),
    /"failures":\[\].*The processor returned before ctx\.step\(\\"mail\\"\) had ended\. Add an await/,
  ],
  [
    69,
    "ctx.defer inside try/catch",
    () =>
      attempt((ctx) => {
        try {
          return ctx.defer({ delayMs: 1 });
        } catch {
          return "went on";
        }
      }),
    /"code":"defer-caught","message":"The processor called ctx\.defer\(\) and caught what it throws/,
  ],
  [
    70,
    "ctx.hold() without a reason",
    () => attempt((ctx) => ctx.hold(loose(undefined))),
    /ctx\.hold\(\) needs a reason/,
  ],
  [
    73,
    "JobFailure with a mistyped option",
    () => new JobFailure("No money.", loose({ permanant: true })),
    /Unknown option "permanant" for JobFailure\("No money\."\)\. Did you mean "permanent"\?/,
    "invalid-request",
  ],
  [75, "an isolated module that is missing", words, /"hint":"broken\/running: The module .*missing\.ts does not start/],
  [77, "console.log in an isolated processor", words, /"jobId":"job_\w+",.*"line":"on standard output"/],
  [
    78,
    "a failing job in an embedded engine",
    words,
    /"level":"error",.*"kind":"fails",.*"No such host\.".*"event":"dead-lettered"/,
  ],
  [
    79,
    "log without its methods",
    () => Millrace.open(loose({ store: sqlite(":memory:"), log: { info() {} } })),
    /log must be false, or an object with the methods debug, info, warn and error/,
    "options-invalid",
  ],
  [
    85,
    "createClient()",
    () => createClient(loose(undefined)),
    /createClient\(\) needs an object with the baseUrl/,
    "invalid-options",
  ],
  [
    89,
    "the client and a BigInt",
    () => client().submit("text", { id: 1n }),
    /cannot be sent as JSON: "payload\.id" is a BigInt/,
    "invalid-request",
  ],
  [
    89,
    "the client and a cycle",
    () => client().submit("text", cyclic()),
    /"payload\.self" is a reference/,
    "invalid-request",
  ],
  [
    90,
    "client.result(undefined)",
    () => client().result(loose(undefined)),
    /A job or its id is needed.*job_/,
    "invalid-options",
  ],
  [
    91,
    "await forgotten on client.submit()",
    () => client().get(loose(Promise.resolve())),
    /Got a Promise instead of a job.*await/,
    "invalid-options",
  ],
  [
    93,
    "https to a server that speaks http",
    async (t) => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      t.after(() => server.close());
      const { port } = server.address() as AddressInfo;
      await createClient({ baseUrl: `https://127.0.0.1:${port}`, retries: 0 }).health();
    },
    /does not speak TLS; use http:\/\/ instead of https:\/\//,
    "unreachable",
  ],
  [
    114,
    "millrace render docs/*.mmd, which matches nothing",
    async (t) => {
      const program = run(t, [...RUNTIME, "packages/millrace/src/cli/main.ts", "render", "nowhere/*.mmd"]);
      assert.equal((await program.ended()).code, 1);
      return program.stderr();
    },
    /nowhere\/\*\.mmd: No file matches this pattern\./,
  ],
];

describeMistakes(ROWS);
describeWeakRows(ROWS);
