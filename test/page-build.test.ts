// runtimes: node
// The build line of docs/guides/workloads.md, for pages that are written in JSX.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { RUNTIME } from "../packages/millrace/dashboard/runtime/names.ts";
import { root, temporaryFolder } from "./support/program.ts";

const PAGE = `import { definePages, Page } from "millrace/dashboard";
import { useState } from "react";
function Hello() {
  const [count, setCount] = useState(0);
  return <Page title="Hello"><button type="button" onClick={() => setCount(count + 1)}>{count}</button></Page>;
}
export default definePages({ pages: { "/hello": Hello } });
`;

test("a bundler makes a page of JSX with the line in the guide, and leaves outside what the dashboard gives", async (t) => {
  const folder = temporaryFolder(t);
  const [, line = ""] = /^npx (rolldown .*)$/m.exec(guide()) ?? [];
  assert.match(line, /pages\.tsx/);
  writeFileSync(join(folder, "pages.tsx"), PAGE);
  writeFileSync(join(folder, "tsconfig.json"), '{ "compilerOptions": { "jsx": "react-jsx" } }');
  const [program = "", ...args] = line.split(" ");
  await promisify(execFile)(join(root, "node_modules/.bin", program), args, { cwd: folder });
  const built = readFileSync(join(folder, "dist/pages.js"), "utf8");
  const imported = [...built.matchAll(/from ?["']([^"']+)["']/g)].map(([, name]) => name);
  assert.deepEqual(imported.sort(), ["millrace/dashboard", "react", "react/jsx-runtime"]);
});

test("the guide names all that the dashboard gives", () => {
  for (const name of Object.keys(RUNTIME)) assert.ok(guide().includes(`\`${name}\``), name);
});

function guide(): string {
  return readFileSync(join(root, "docs/guides/workloads.md"), "utf8");
}
