import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "../program.ts";

export interface SourceFile {
  /** From the root of the repository or package, with slashes. */
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

/** The files below a folder of the repository, or of one of its packages: paths are from there. */
export function readSources(folder: string, base = root): SourceFile[] {
  return readdirSync(join(base, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((path) => /\.tsx?$/.test(path) && !/node_modules|\/dist\//.test(path))
    .sort()
    .map((path) => {
      const text = readFileSync(join(base, path), "utf8");
      return { path, text, imports: importsOf(path, text) };
    });
}

const STATIC = /^(?:import|export)\s(?<clause>[^"';]*?\sfrom\s)?\s*["'](?<target>[^"']+)["']/gm;
// `typeof import(...)` is a type, and gone when it runs.
const DYNAMIC = /(?<!typeof\s)\bimport\(\s*["'](?<target>[^"']+)["']\s*\)/g;
// The extension may be computed: `.ts` here, `.js` where it was built.
const STARTED = /\bnew URL\(\s*["'`](?<target>\.[^"'`]+)\.(?:ts|\$\{extension\})["'`],\s*import\.meta\.url\s*\)/g;
// By its path from the root of the code, for what a bundler may have left behind.
const STARTED_BY_PATH = /\b(?:ownFile|threadEntry)\(\s*"(?<target>[^"]+)"/g;

// The same for packages on top of the engine: `packageFile({ …, near: "./thread.ts" })`.
const STARTED_NEAR = /\bnear:\s*"(?<target>\.[^"]+\.ts)"/g;

/** By pattern, not by parser: our formatter starts every import on its own line. */
export function importsOf(path: string, text: string): Import[] {
  const code = withoutComments(text);
  return [
    ...[...code.matchAll(STATIC)].map(({ groups }) => {
      return toImport(path, groups?.["target"], isTypesOnly(groups?.["clause"]) ? "types" : "run");
    }),
    ...[...code.matchAll(DYNAMIC)].map(({ groups }) => toImport(path, groups?.["target"], "run")),
    ...[...code.matchAll(STARTED)].map(({ groups }) => toImport(path, `${groups?.["target"]}.ts`, "start")),
    ...[...code.matchAll(STARTED_NEAR)].map(({ groups }) => toImport(path, groups?.["target"], "start")),
    ...[...code.matchAll(STARTED_BY_PATH)].map(({ groups }) => startedByPath(path, groups?.["target"])),
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

function startedByPath(path: string, target = ""): Import {
  return { target: `${path.slice(0, path.indexOf("src/"))}src/${target}`, ours: true, how: "start" };
}

function toImport(path: string, target = "", how: Import["how"]): Import {
  if (!target.startsWith(".")) return { target, ours: false, how };
  return { target: posix.join(posix.dirname(path), target), ours: true, how };
}
