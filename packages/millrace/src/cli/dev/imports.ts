// Which files a module is made of, read from its source. The runtimes differ in what they tell about loaded modules, and
// neither tells of a file that does not parse, or of the module that an isolated stage runs in a process of its own.

import { readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isInstalled, linkedPackage } from "./installed.ts";

/** The most files. A project has hundreds; this stops a path that leads into generated code. */
const MOST_FILES = 5_000;
const ENDINGS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"];
const SOURCE = /\.[cm]?[jt]sx?$/;

const SPECIFIERS = [
  /\b(?:from|import)\s*["']([^"'\n]+)["']/g,
  /\b(?:import|require)\s*\(\s*["'`]([^"'`\n$]+)["'`]/g,
  /\bnew\s+URL\(\s*["'`](\.{1,2}\/[^"'`\n$]+)["'`]\s*,\s*import\.meta\.url/g,
];

/** The entries and all that they import, without installed packages. A file that is missing is named too: it may appear. */
export function moduleFiles(entries: readonly string[], isForeign: (file: string) => boolean): string[] {
  const found = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined && found.size < MOST_FILES; file = open.pop()) {
    if (found.has(file) || isForeign(file)) continue;
    found.add(file);
    if (SOURCE.test(file)) open.push(...importsOf(file));
  }
  return [...found];
}

function importsOf(file: string): string[] {
  let source: string;
  try {
    source = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  const specifiers = SPECIFIERS.flatMap((pattern) =>
    [...source.matchAll(pattern)].map(([, specifier = ""]) => specifier),
  );
  return [...new Set(specifiers)].flatMap((specifier) => filesOf(specifier, file));
}

function filesOf(specifier: string, from: string): string[] {
  if (specifier.startsWith("node:") || specifier.startsWith("bun:")) return [];
  if (specifier.startsWith("file:")) return [fileURLToPath(specifier)];
  if (specifier.startsWith(".") || specifier.startsWith("/")) return [relativeFile(resolve(dirname(from), specifier))];
  return packageFiles(specifier, from);
}

function relativeFile(path: string): string {
  const bare = path.replace(/\.[cm]?jsx?$/, "");
  const candidates = [
    path,
    ...ENDINGS.map((ending) => path + ending),
    ...ENDINGS.map((ending) => bare + ending),
    ...ENDINGS.map((ending) => join(path, `index${ending}`)),
  ];
  return candidates.find(isFile) ?? path;
}

/** Packages of the same workspace are linked, and change as the project does. Installed packages do not change. */
function packageFiles(specifier: string, from: string): string[] {
  const resolved = resolvedFile(specifier, from);
  if (resolved !== undefined) return isInstalled(resolved) ? [] : [resolved];
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const folder = linkedPackage(name, dirname(from));
  return folder === undefined ? [] : exportedFiles(folder);
}

/** The file of a package. Undefined: the package offers nothing to `require`. */
function resolvedFile(specifier: string, from: string): string | undefined {
  try {
    const file = createRequire(from).resolve(specifier);
    return file.startsWith("/") || /^[a-z]:\\/i.test(file) ? realpathSync(file) : undefined;
  } catch {
    return undefined;
  }
}

/** Every file that the exports of a package name. */
function exportedFiles(folder: string): string[] {
  try {
    const { exports, main, module } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return stringsIn([exports, main, module])
      .map((path) => resolve(folder, path))
      .filter(isFile);
  } catch {
    return [];
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
