import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { Refusal } from "./refusal.js";

/** These do not make a folder non-empty: a new repository and a file of the macOS Finder. */
const HARMLESS = new Set([".git", ".DS_Store"]);

/**
 * The folder of the new project and the name of its package. Refuses a folder with files in it.
 * @param {string} folder
 */
export function targetFolder(folder) {
  const path = resolve(folder);
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Refusal(`"${folder}" is a file. Choose another name.`);
    if (readdirSync(path).some((name) => !HARMLESS.has(name)))
      throw new Refusal(`The folder "${folder}" is not empty. Choose another name, or empty it first.`);
  }
  return { folder, path, name: packageName(basename(path)) };
}

/** npm allows lower case, digits and some marks, and no dot or underscore at the start. */
function packageName(folder) {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|-+$/g, "")
    .slice(0, 200);
  // A package cannot depend on itself, and npm refuses node_modules.
  return name === "" || ["millrace", "node_modules", "zod", "pg"].includes(name) ? "millrace-app" : name;
}
