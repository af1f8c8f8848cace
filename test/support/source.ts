import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "./program.ts";

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export interface Import {
  /** The path of the file when it is one of ours, else the name of the package. */
  readonly target: string;
  readonly ours: boolean;
  /** `types`: gone at run time. `start`: the entry of a thread or child process. */
  readonly how: "run" | "types" | "start";
}

export function readSources(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((path) => /\.tsx?$/.test(path) && !/node_modules|^dashboard\/dist/.test(path))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, imports: importsOf(path, text) };
    });
}

const STATIC = /^(?:import|export)\s(?<clause>[^"';]*?\sfrom\s)?\s*["'](?<target>[^"']+)["']/gm;
// `typeof import(...)` is a type, and gone when it runs.
const DYNAMIC = /(?<!typeof\s)\bimport\(\s*["'](?<target>[^"']+)["']\s*\)/g;
// The extension may be computed: `.ts` here, `.js` where it was built.
const STARTED = /\bnew URL\(\s*["'`](?<target>\.[^"'`]+)\.(?:ts|\$\{extension\})["'`],\s*import\.meta\.url\s*\)/g;

/** By pattern, not by parser: our formatter starts every import on its own line. */
export function importsOf(path: string, text: string): Import[] {
  const code = withoutComments(text);
  return [
    ...[...code.matchAll(STATIC)].map(({ groups }) => {
      return toImport(path, groups?.["target"], isTypesOnly(groups?.["clause"]) ? "types" : "run");
    }),
    ...[...code.matchAll(DYNAMIC)].map(({ groups }) => toImport(path, groups?.["target"], "run")),
    ...[...code.matchAll(STARTED)].map(({ groups }) => toImport(path, `${groups?.["target"]}.ts`, "start")),
  ];
}

// Whole lines only: a `//` inside a string is an address more often than a comment.
export function withoutComments(text: string): string {
  return text.replace(/^\s*\/\/.*$/gm, "").replace(/^\s*\/\*[\s\S]*?\*\//gm, "");
}

/** `import type { A }`, and `import { type A, type B }` as well: neither leaves anything to run. */
function isTypesOnly(clause: string | undefined): boolean {
  if (clause === undefined) return false;
  if (/^type\s/.test(clause)) return true;
  const names = /^\{(?<names>[^}]*)\}\s*from\s*$/.exec(clause)?.groups?.["names"];
  return names?.split(",").every((name) => /^\s*(type\s.*)?$/s.test(name)) ?? false;
}

function toImport(path: string, target = "", how: Import["how"]): Import {
  if (!target.startsWith(".")) return { target, ours: false, how };
  return { target: posix.join(posix.dirname(path), target), ours: true, how };
}
