// The declarations that are published: those that a public entry leads to.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const IMPORT = /(?:from|import\(|import) ?["']([^"']+)["']/g;

/** The names of files and packages that a declaration imports. */
export function importsIn(text) {
  return [...text.matchAll(IMPORT)].map(([, name]) => name);
}

/**
 * In types tsc leaves the extensions alone, and older compilers of our users would look for a .ts that is not there. An import
 * for its effect alone declares nothing.
 */
export function rewriteExtensions(file) {
  const types = readFileSync(file, "utf8").replace(/^import "[^"]+";\n/gm, "");
  writeFileSync(file, types.replace(/((?:from|import\() ?["']\.[^"']+)\.ts(["'])/g, "$1.js$2"));
}

/** Deletes the declarations that no entry of package.json leads to: no user can import them. */
export function pruneDeclarations(home, dist) {
  const { exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const reached = new Set();
  const waiting = Object.values(exports).flatMap(({ types }) => (types ? [join(home, types)] : []));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    if (!existsSync(file)) throw new Error(`${file} is missing: a declaration leads to it`);
    reached.add(file);
    const near = importsIn(readFileSync(file, "utf8")).filter((name) => name.startsWith("."));
    for (const name of near) waiting.push(join(dirname(file), name.replace(/\.js$/, ".d.ts")));
  }
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const file = join(dist, name);
    if (/\.d\.ts(\.map)?$/.test(name) && !reached.has(file.replace(/\.map$/, ""))) rmSync(file);
  }
}

/**
 * Has npm leave out the sources that no declaration map names, by a list in src/.npmignore. An editor opens only the others, and
 * all of them would be a third of the engine's megabytes.
 */
export function ignoreUnnamedSources(home, dist) {
  const maps = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts.map"));
  const named = new Set(
    maps.flatMap((name) => {
      const { sources } = JSON.parse(readFileSync(join(dist, name), "utf8"));
      return sources.map((source) => resolve(dist, dirname(name), source));
    }),
  );
  const src = join(home, "src");
  const unnamed = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !named.has(file));
  writeFileSync(join(src, ".npmignore"), unnamed.map((file) => `/${relative(src, file)}\n`).join(""));
}
