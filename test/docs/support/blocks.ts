// The code blocks of the documentation. What follows the language in a fence says how the tests treat the block:
//
//   ```ts                      type-checked, run, and must exit with 0
//   ```ts until SIGTERM        run until it prints an address or "ready", then stopped with SIGTERM; must exit with 0
//   ```ts with a server        run against `millrace serve`, whose address takes the place of http://127.0.0.1:3000
//   ```ts with PostgreSQL      run with DATABASE_URL set
//   ```ts no-run: reason       type-checked only
//   ```ts no-check: reason     neither; test/docs/exempt.test.ts lists both with their reasons
//
// A first line such as `// worker.ts` names the file. Blocks of one page share a folder, so they can import each other.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/program.ts";

export interface Block {
  readonly document: string;
  /** The line of the fence, counted from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language in the fence. */
  readonly info: string;
  readonly code: string;
}

const FENCE = /^```(\w+)(?: ([^\n]*))?\n([\s\S]*?)^```$/gm;

/** Left out: records of the past, and the library reference, which is generated and has a test of its own. */
export const LEFT_OUT = ["docs/decisions/", "docs/reference/api/"];

/** Every other document for users: the README and all of docs/. */
export function documents(): string[] {
  const found = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  const pages = found.filter((path) => path.endsWith(".md")).map((path) => `docs/${path}`);
  return ["README.md", ...pages.filter((path) => !LEFT_OUT.some((folder) => path.startsWith(folder))).sort()];
}

export function textOf(document: string): string {
  return readFileSync(join(root, document), "utf8");
}

export function blocksOf(document: string): Block[] {
  const text = textOf(document);
  return [...text.matchAll(FENCE)].map(({ index, 1: language = "", 2: info = "", 3: code = "" }) => ({
    document,
    line: text.slice(0, index).split("\n").length,
    language,
    info,
    code,
  }));
}

export function typescriptBlocks(): Block[] {
  return documents()
    .flatMap(blocksOf)
    .filter(({ language }) => language === "ts");
}

/** The code blocks of a document between one heading and the next, in order. */
export function blocksUnder(document: string, heading: string): Block[] {
  const lines = textOf(document).split("\n");
  const start = lines.indexOf(heading) + 1;
  if (start === 0) throw new Error(`${document} has no "${heading}"`);
  // A heading inside a fence is a comment of a shell.
  const inside = lines.map((_, at) => lines.slice(0, at).filter((line) => line.startsWith("```")).length % 2 === 1);
  const end = lines.findIndex((line, at) => at >= start && !inside[at] && /^##? /.test(line));
  const last = end < 0 ? lines.length : end;
  return blocksOf(document).filter(({ line }) => line > start && line <= last);
}
