// runtimes: node
// One vocabulary: what the code logs is what docs/reference/logs.md says, level and all.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../support/program.ts";
import { readSources } from "../support/tidy/source.ts";

// A processor's own `ctx.log` goes to its job, not to the server's log.
const CONTEXT = "/src/pool/context/context.ts";
const LOGGED = /(?<!ctx\.)\b(?:[lL]og|#log)\.(debug|info|warn|error)\(\s*(?:"([^"]+)"|(\S))/g;
const ROW = /^\| `([^`]+)` \| (debug|info|warn|error) \|/gm;

test("every event in the code has its row in the reference, and every row its event", () => {
  const sources = [
    ...readSources("packages/millrace/src"),
    ...readSources("packages/diagrams/src"),
    ...readSources("packages/sites/src"),
  ].filter(
    ({ path }) => !path.endsWith(".test.ts") && !path.includes("/src/store/contract") && !path.endsWith(CONTEXT),
  );
  const logged = new Set<string>();
  for (const { path, text } of sources) {
    for (const [call, level, event] of text.matchAll(LOGGED)) {
      assert.ok(event !== undefined, `${path}: an event is a constant: ${call}`);
      logged.add(`${event} (${level})`);
    }
  }
  const text = readFileSync(join(root, "docs/reference/logs.md"), "utf8");
  const documented = [...text.matchAll(ROW)].map(([, event, level]) => `${event} (${level})`);
  assert.deepEqual(sorted(documented), sorted([...logged]));
});

function sorted(words: string[]): string[] {
  return words.sort((a, b) => (a < b ? -1 : 1));
}
