// Rules about folders and files. Each gives what breaks it, so that a failure names the place.

import { posix } from "node:path";
import { withoutComments } from "./source.ts";

const MAX_FILES = 20;
const MAX_LINES = 350;
/** Where test code stands that is not a test: helpers, programs that tests start, and type tests that only compile. */
const SUPPORT_FOLDERS = new Set(["support", "modules", "scripts", "types", "portable", "fixtures"]);

/** Folders with more than 20 files at one level. A unit test stands beside its file and is not counted. */
export function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (/(^|\/)src\/.*\.test\.tsx?$/.test(path)) continue;
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder}: ${count} files`);
}

/** Files of test folders that are neither a test nor in a folder for helpers, and tests in such a folder. */
export function misplacedHelpers(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const isSupport = path.split("/").some((part) => SUPPORT_FOLDERS.has(part));
    return /\.test\.tsx?$/.test(path) === isSupport && !path.includes("/types/");
  });
}

/** Comments and blank lines are free: documentation must not cost length. */
export function longFiles(files: readonly { path: string; text: string }[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = withoutComments(text)
      .split("\n")
      .filter((line) => line.trim() !== "").length;
    return lines > MAX_LINES ? [`${path}: ${lines} lines`] : [];
  });
}

/** The folders below `folder` that hold files, without `folder` itself. */
export function foldersIn(folder: string, paths: readonly string[]): string[] {
  const below = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  return [
    ...new Set(below.filter((path) => path.includes("/")).map((path) => path.slice(0, path.indexOf("/")))),
  ].sort();
}

/** The files below `folder`, without tests and migrations, which have names of their own. */
export function filesIn(folder: string, paths: readonly string[]): string[] {
  return paths
    .filter((path) => path.startsWith(`${folder}/`) && !/\.test\.ts$|\/migrations\//.test(path))
    .map((path) => path.slice(folder.length + 1))
    .sort();
}

/** The files that a page lists below its heading "Files that only this store has", sorted. */
export function listedFiles(page: string): string[] {
  const [, section = ""] = page.split("\n## Files that only this store has\n");
  const rows = section.split("\n## ")[0]?.split("\n") ?? [];
  const cells = rows.flatMap((row) => /^\| (`[^|]+`) \|/.exec(row)?.[1] ?? []);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file)).sort();
}
