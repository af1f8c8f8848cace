// PlantUML's standard library out of a folder: `!include <C4/C4_Container>` is the file C4/C4_Container.puml, in any case of
// letters. Nothing outside of the folder is read.

import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** A renderer gets the folder by its environment. */
export const STDLIB_VARIABLE = "PLANTUML_STDLIB";

let named: string | undefined;

/** The folder that the settings name. */
export function useLibrary(folder: string | undefined): void {
  named = folder;
  version = undefined;
}

export function libraryFolder(): string | undefined {
  return (named ?? process.env[STDLIB_VARIABLE]) || undefined;
}

let version: string | undefined;

/** Changes with its files: part of the key under which a drawing is kept. */
export function libraryVersion(): string {
  version ??= describeFolder(libraryFolder());
  return version;
}

function describeFolder(folder: string | undefined): string {
  const root = folder === undefined ? undefined : realFolder(folder);
  if (root === undefined) return "";
  const hash = createHash("sha256");
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true }).sort(byPath)) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { size, mtimeMs } = statSync(path);
    hash.update(`${relative(root, path)}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest("base64url").slice(0, 16);
}

function byPath(a: Dirent, b: Dirent): number {
  const [one, other] = [join(a.parentPath, a.name), join(b.parentPath, b.name)];
  return one < other ? -1 : one > other ? 1 : 0;
}

const MOST_BYTES = 4_000_000;
const RELATIVE = /^(\s*!include(?:_once|_many|sub)?\s+)(?:\.\/|https?:\/\/\S+\/)?([\w-]+)\.puml(\s*(?:![\w-]+)?\s*)$/;

type Lines = readonly string[];

/** By library, then by file, as PlantUML looks them up. Files are read when they are asked for. */
export function openLibrary(folder: string | undefined): Readonly<Record<string, Readonly<Record<string, Lines>>>> {
  const root = folder === undefined || folder === "" ? undefined : realFolder(folder);
  return looked((library) => {
    const path = root === undefined ? undefined : entryIn(root, library);
    if (path === undefined) return undefined;
    const files = new Map<string, Lines | undefined>();
    return looked((name) => {
      if (!files.has(name)) files.set(name, linesOf(root as string, path, library, name));
      return files.get(name);
    });
  });
}

function looked<Value>(find: (name: string) => Value | undefined): Record<string, Value> {
  return new Proxy({} as Record<string, Value>, {
    get: (_, name) => (typeof name === "string" ? find(name) : undefined),
  });
}

function linesOf(root: string, library: string, called: string, name: string): Lines | undefined {
  const parts = name.split("/").filter((part) => part !== "");
  let path: string | undefined = library;
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    path =
      path === undefined ? undefined : (entryIn(path, part) ?? (isLast ? entryIn(path, `${part}.puml`) : undefined));
  }
  if (path === undefined || !isInside(root, path)) return undefined;
  const { size } = statSync(path);
  if (size > MOST_BYTES) return undefined;
  const folder = parts
    .slice(0, -1)
    .map((part) => `${part}/`)
    .join("");
  return readFileSync(path, "utf8")
    .split(/\r?\n/)
    .map((line) => line.replace(RELATIVE, `$1<${called}/${folder}$2>$3`));
}

/** The file or folder of that name, in any case of letters. A name is never a way out. */
function entryIn(folder: string, name: string): string | undefined {
  if (name === "" || name.startsWith(".") || /[\\/\0]/.test(name)) return undefined;
  try {
    const found = readdirSync(folder).find((entry) => entry.toLowerCase() === name.toLowerCase());
    return found === undefined ? undefined : join(folder, found);
  } catch {
    return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  try {
    const way = relative(root, realpathSync(path));
    return way !== "" && !way.startsWith(`..${sep}`) && way !== ".." && statSync(path).isFile();
  } catch {
    return false;
  }
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}
