// What an audit of the contract found, put back one at a time.

import type { Mutant } from "./list.ts";

const ENGINE = "packages/millrace/src";
const STORE = `${ENGINE}/store`;
const CONTRACT = `${STORE}/sqlite/store.test.ts`;
const HOSTILE = "test/http/hostile";

export const AUDIT_MUTANTS: readonly Mutant[] = [
  {
    bug: "a slash at the end of an address is 404",
    file: `${ENGINE}/http/router.ts`,
    from: 'path.length > 1 && path.endsWith("/")',
    to: 'path.length > 1e9 && path.endsWith("/")',
    caughtBy: `${HOSTILE}/lenient.test.ts`,
    only: "a slash at the end",
  },
  {
    bug: "an asynchronous drawing joins another caller's job",
    file: "packages/diagrams/src/service/routes.ts",
    from: "waits: isSync, isDraft };",
    to: "waits: true, isDraft };",
    caughtBy: "packages/diagrams/test/service-own-jobs.test.ts",
  },
  {
    bug: "with one processor two diagrams are drawn at once",
    file: "packages/diagrams/src/service/kind.ts",
    from: "...(processors > 1 && { slow:",
    to: "...(processors > 0 && { slow:",
    caughtBy: "packages/diagrams/test/service-limits.test.ts",
  },
  {
    bug: "drawings that took too long become dead letters",
    file: "packages/diagrams/src/service/kind.ts",
    from: 'inputFailures: ["timed-out", "backpressure"]',
    to: "inputFailures: []",
    caughtBy: "packages/diagrams/test/service-limits.test.ts",
    only: "took too long",
  },
  {
    bug: "the stages of a site do not use STUCK_AFTER_MS",
    file: "packages/sites/src/from-settings.ts",
    from: "stuckAfterMs: engineSettings.stuckAfterMs,",
    to: "stuckAfterMs: engineSettings.stuckAfterMs * 0 + 300_000,",
    caughtBy: "packages/sites/test/options.test.ts",
  },
  {
    bug: "a key that is sent to a server without keys is refused",
    file: `${ENGINE}/http/auth/auth.ts`,
    from: "if (options.apiKey !== undefined) throw refused(given, about, options);",
    to: "throw refused(given, about, options);",
    caughtBy: `${HOSTILE}/misses.test.ts`,
    only: "a server without a key of its own",
  },
  {
    bug: "refused keys are not logged",
    file: `${ENGINE}/http/auth/auth.ts`,
    from: 'log.failed({ traceId, route, reason: "wrong key",',
    to: 'void ({ traceId, route, reason: "wrong key",',
    caughtBy: `${HOSTILE}/misses.test.ts`,
    only: "are logged",
  },
  {
    bug: "the text fail works for seconds before it fails",
    file: `${ENGINE}/workloads/text/kind.ts`,
    from: "const text = judged(payload);",
    to: "await pause(4 * msPerChar, ctx);\n      const text = judged(payload);",
    caughtBy: `${ENGINE}/workloads/text/kind.test.ts`,
  },
  {
    bug: "JSON turns NaN into null without a word",
    file: `${ENGINE}/lib/json/json-loss.ts`,
    from: "return Number.isFinite(value);",
    to: "return true;",
    caughtBy: `${ENGINE}/lib/json/json-loss.test.ts`,
  },
  {
    bug: "the cause of an error is dropped",
    file: `${ENGINE}/job/report/error-account.ts`,
    from: "if (cause !== undefined && room.left > 0)",
    to: "if (cause === null && room.left > 0)",
    caughtBy: `${ENGINE}/job/report/error-account.test.ts`,
  },
  {
    bug: "wait() waits for ever",
    file: `${ENGINE}/engine/wait/waiting.ts`,
    from: "const DEFAULT_WAIT_MS = 600_000;",
    to: "const DEFAULT_WAIT_MS = Number.POSITIVE_INFINITY;",
    caughtBy: `${ENGINE}/engine/wait/waiting.test.ts`,
  },
  {
    bug: "wait() does not say that no process serves the stage",
    file: `${ENGINE}/engine/wait/waiting.ts`,
    from: "void this.#warn(jobId);",
    to: "",
    caughtBy: `${ENGINE}/engine/wait/waiting.test.ts`,
  },
  {
    bug: "a release after the time of a hold succeeds",
    file: `${STORE}/decide/release.ts`,
    from: "if (row.expires_at !== null && row.expires_at <= now)",
    to: "if (row.expires_at === -1 && row.expires_at <= now)",
    caughtBy: CONTRACT,
    only: "is over for everybody at its time",
  },
  {
    bug: "tables go into the schema public",
    file: `${STORE}/postgres/migrations/migrate.ts`,
    from: 'if (schema === "public") {',
    to: 'if (schema === "nowhere") {',
    caughtBy: `${STORE}/postgres/migrations/migrate.test.ts`,
    only: "the schema public",
  },
];
