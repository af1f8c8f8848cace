import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifest } from "./manifest.js";
import { wordsFor } from "./words.js";

const TEMPLATE = fileURLToPath(new URL("../template", import.meta.url));

/**
 * Writes the files of the project. A name that starts with an underscore becomes a dot file: npm leaves .gitignore out
 * of a package.
 * @param {{ path: string, name: string }} target
 * @param {{ db: string, packageManager: string, millrace: string | undefined }} choices
 */
export function writeProject({ path, name }, choices) {
  const words = { ...wordsFor(choices), name };
  for (const part of ["common", choices.db]) {
    for (const file of filesIn(join(TEMPLATE, part))) {
      const text = readFileSync(join(TEMPLATE, part, file), "utf8");
      write(join(path, file.replace(/^_/, ".")), fill(text, words));
    }
  }
  write(join(path, "package.json"), manifest(name, choices));
  // Secrets of this copy alone; .gitignore keeps the file out of the repository.
  const example = readFileSync(join(path, ".env.example"), "utf8");
  write(join(path, ".env"), withSecrets(example));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1));
}

function fill(text, words) {
  return text.replace(/\{\{(\w+)\}\}/g, (_, word) => {
    if (!(word in words)) throw new Error(`The template uses {{${word}}}, which has no value.`);
    return words[word];
  });
}

/** Every place that says "change-me" gets the same random value, so that a password and the URL with it agree. */
function withSecrets(text) {
  return text.replaceAll("change-me", randomBytes(12).toString("hex"));
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
