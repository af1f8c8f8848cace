// runtimes: node
// What the compiler says to somebody who mistypes a kind: about the place at fault, in words that help.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { engineRoot, root } from "../support/program.ts";

const MISTAKES: [what: string, line: string, said: RegExp][] = [
  [
    "the input of the only stage is annotated with another type",
    `defineKind({ name: "a", payload, run: (_ctx: Context<{ url: string }>, input: { uri: string }) => input.uri });`,
    /Types of parameters 'input' and 'input' are incompatible.*'uri' is missing in type '\{ url: string; \}'/,
  ],
  [
    "the input of a later stage is not what the one before returns",
    `defineKind({ name: "b", payload }).stage("one", { run: () => 5 }).stage("two", { run: (_ctx, n: string) => n });`,
    /Types of parameters 'n' and 'input' are incompatible.*Type 'number' is not assignable to type 'string'/,
  ],
  [
    "an option has another type",
    `defineKind({ name: "c", payload, processors: "4", run: () => 5 });`,
    /^Type 'string' is not assignable to type 'number'/,
  ],
  [
    "an option is mistyped",
    `defineKind({ name: "d", payload }).stage("one", { timeout: 5, run: () => 5 });`,
    /Did you mean to write 'timeoutMs'/,
  ],
  [
    "an isolated stage has no module",
    `defineKind({ name: "e", payload }).stage("one", { isolation: "process" });`,
    /Property 'module' is missing/,
  ],
  [
    "the stage before returned a Date, which JSON turns into a string",
    `defineKind({ name: "g", payload }).stage("one", { run: () => new Date() }).stage("two", { run: (_ctx, at) => at.getTime() });`,
    /Property 'getTime' does not exist on type 'string'/,
  ],
  ["a kind has no payload", `defineKind({ name: "f", run: () => 5 });`, /Property 'payload' is missing/],
];

test("a mistake in a kind is named where it is, and never as one of another overload", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-types-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const imports = [
    `import { z } from "zod";`,
    `import { type Context, defineKind } from ${JSON.stringify(join(engineRoot, "src/index.ts"))};`,
    "export type Used = Context;",
    "const payload = z.object({ url: z.string() });",
  ];
  writeFileSync(join(folder, "kinds.ts"), [...imports, ...MISTAKES.map(([, line]) => line)].join("\n"));
  const config = { extends: join(root, "tsconfig.json"), files: ["kinds.ts"], include: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));

  const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["--pretty", "false", "-p", folder], {
    cwd: folder,
    encoding: "utf8",
  });
  // A diagnostic is one line and those that are indented below it.
  const said = stdout.trim().replaceAll(/\n\s+/g, " ").split("\n");
  for (const [i, [what, , pattern]] of MISTAKES.entries()) {
    const line = imports.length + i + 1;
    const own = said.filter((each) => each.startsWith(`kinds.ts(${line},`));
    assert.equal(own.length, 1, `${what}: ${said.join("\n")}`);
    const message = (own[0] as string).replace(/^.*?error TS\d+: /, "");
    assert.match(message, pattern, what);
    assert.doesNotMatch(message, /overload/i, what);
  }
});
