// The mistakes of newcomers that a study found vaguely answered, wrongly answered or not answered at all, and where each is tested.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../support/program.ts";
import type { Row } from "./mistake.ts";

const POSTGRES = "packages/millrace/src/store/postgres";

/** The other rows of the study: what says it, or where it is said. */
const ELSEWHERE: readonly [row: number, mistake: string, file: string, words: string][] = [
  [61, "a Date from stage to stage", "test/types/json.ts", '"second", {'],
  [80, "a stage that is gone after a deploy", "test/flow/deployments.test.ts", "that leaves a stage unserved"],
  [
    82,
    "a web process with another plan",
    "packages/millrace/src/store/contract/register/plans.ts",
    "does not work counts",
  ],
  [84, "a kit that is not stopped", "test/flow/embedded.test.ts", "a kit that a failed test did not stop"],
  [97, "a port that speaks HTTP", `${POSTGRES}/thread/thread.test.ts`, "where another kind of server listens"],
  [98, "sslmode=require without TLS", `${POSTGRES}/thread/thread.test.ts`, "not as safe as the address asks"],
  [99, "?schema=public", `${POSTGRES}/migrations/migrate.test.ts`, "the schema public, and one that holds tables"],
  [100, "a table of the application called job", `${POSTGRES}/migrations/migrate.test.ts`, "of another application"],
  [
    101,
    "import on Node 20",
    "packages/millrace/src/lib/runtime/runtimes.test.ts",
    "importing the library on an unsupported",
  ],
  [102, "a .ts file on Node 20", "docs/troubleshooting.md", "ERR_UNKNOWN_FILE_EXTENSION"],
  [104, "bundled by esbuild", "test/packages/bundled.test.ts", "is refused when the store opens"],
  [105, "bundled by Next.js", "test/packages/frameworks.test.ts", "next builds"],
  [106, "declaration: true", "test/packages/pack.test.ts", "a package with declarations infers"],
  [112, "submit and schedules put with --db", "test/flow/cli/db.test.ts", "submit and schedules put work on a file"],
];

/** Every mistake that the study found vague, misleading or silent. */
const GRADED_WEAK = [
  [1, 3, 5, 18, 19, 23, 24, 25, 26, 27, 28, 29, 30, 31, 34, 39, 41, 44, 45, 46, 54, 55, 56, 57, 58, 59, 60, 61, 64, 65],
  [66, 69, 70, 73, 75, 77, 78, 79, 80, 82, 84, 85, 89, 90, 91, 93, 97, 98, 99, 100, 101, 102, 104, 105, 106, 112, 114],
].flat();

export function describeWeakRows(rows: readonly Row[]): void {
  test("every weak row of the study has its words, here or in the file that is named", () => {
    const tested = new Set([...rows, ...ELSEWHERE].map(([row]) => row));
    assert.deepEqual(
      [...tested].sort((a, b) => a - b),
      GRADED_WEAK,
    );
    const gone = ELSEWHERE.filter(([, , file, words]) => !readFileSync(join(root, file), "utf8").includes(words));
    assert.deepEqual(gone, []);
  });
}
