// Writes docs/reference/api and docs/reference/options.md from the types, the doc comments and the settings. Node 24.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENTRIES } from "./api-reference/entries.js";
import { optionsPage } from "./api-reference/options.js";
import { problemsIn } from "./api-reference/problems.js";
import { readProgram, root } from "./api-reference/program.js";
import { readEntries } from "./api-reference/read.js";
import { unnamedTypes } from "./api-reference/unnamed.js";
import { writeIndex, writePages } from "./api-reference/write.js";

/**
 * The pages by path, and what the sources lack: doc comments, and exports of types that public declarations name.
 *
 * @typedef {{ name: string, default?: string }} Member
 * @typedef {{ name: string, symbols: { name: string, members?: Member[] }[] }} Entry
 * @returns {{ entries: Entry[], pages: Map<string, string>, undocumented: string[], unnamed: string[] }}
 */
export function apiReference() {
  const program = readProgram(ENTRIES.map(({ file }) => file));
  const entries = readEntries(program, ENTRIES);
  const pages = new Map([["docs/reference/api/README.md", writeIndex(entries)]]);
  for (const [page, text] of writePages(entries)) pages.set(`docs/reference/api/${page}`, text);
  pages.set("docs/reference/options.md", optionsPage(entries));
  return {
    entries,
    pages,
    undocumented: [...new Set(entries.flatMap(problemsIn))],
    unnamed: unnamedTypes(program, ENTRIES),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { pages, undocumented, unnamed } = apiReference();
  const folder = join(root, "docs/reference/api");
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  for (const [path, text] of pages) writeFileSync(join(root, path), text);
  for (const each of undocumented) process.stderr.write(`No doc comment: ${each}\n`);
  for (const each of unnamed) process.stderr.write(`Not exported: ${each}\n`);
  process.exitCode = undocumented.length + unnamed.length > 0 ? 1 : 0;
}
