// node scripts/example-locks.js [name ...]
//
// Writes the lockfiles of the examples that have packages of their own. Run it after a change of an example's package.json,
// or of the dependencies of Millrace: the examples install it from packages/millrace, and their lockfiles name them.

import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const examples = join(root, "examples");
const wanted = process.argv.slice(2);
const names = readdirSync(examples).filter(
  (name) => existsSync(join(examples, name, "package.json")) && (wanted.length === 0 || wanted.includes(name)),
);

const place = mkdtempSync(join(tmpdir(), "millrace-locks-"));
try {
  unpackMillrace(join(place, "packages/millrace"));
  for (const name of names) lock(name);
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** Millrace as npm would publish it, where the examples expect it. */
function unpackMillrace(folder) {
  const source = join(root, "packages/millrace");
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", place], { cwd: source });
  const [tarball] = readdirSync(place).filter((file) => file.endsWith(".tgz"));
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", join(place, tarball), "-C", folder, "--strip-components=1"]);
}

/** From nothing: a lockfile that npm finds keeps what it says about Millrace, however old. */
function lock(name) {
  const copy = join(place, "examples", name);
  const leave = /node_modules|package-lock\.json|\.next|dist/;
  cpSync(join(examples, name), copy, { recursive: true, filter: (file) => !leave.test(file.slice(examples.length)) });
  execFileSync("npm", ["install", "--package-lock-only", "--silent", "--no-audit"], { cwd: copy, stdio: "inherit" });
  copyFileSync(join(copy, "package-lock.json"), join(examples, name, "package-lock.json"));
  process.stdout.write(`examples/${name}/package-lock.json\n`);
}
