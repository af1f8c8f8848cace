// Proves the tests: known bugs are put into a copy of the engine one at a time, and the test named must fail with the bug and pass
// without it.
//   node test/faults/support/mutants/run.ts [part of a bug's name ...]     (about half an hour; not part of CI)

import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ALL_MUTANTS } from "./all.ts";
import { type Mutant, testFileOf } from "./list.ts";

const LIMIT_MS = 300_000;
const TRIES = 3;
const ENVIRONMENT = { ...process.env, FAULT_KILLS: "20", TEST_SLOWNESS: "2" };
const LEFT_OUT = /\/(?:node_modules|dist|\.tmp)(?:\/|$)/;

const root = fileURLToPath(new URL("../../../../", import.meta.url));
/** Tests that passed without any bug. */
const sound = new Set<string>();
const wanted = process.argv.slice(2);
const mutants = ALL_MUTANTS.filter(({ bug }) => wanted.length === 0 || wanted.some((part) => bug.includes(part)));
const survivors = mutants.filter((mutant) => !isCaught(mutant));
console.log(`${mutants.length - survivors.length} of ${mutants.length} caught`);
process.exitCode = survivors.length > 0 ? 1 : 0;

function isCaught(mutant: Mutant): boolean {
  const { bug, file, from, to, caughtBy } = mutant;
  const copy = mkdtempSync(join(tmpdir(), "millrace-mutant-"));
  try {
    copyRepository(copy);
    const source = readFileSync(join(copy, file), "utf8");
    if (!source.includes(from)) {
      console.log(`out of date   ${bug}: its text is not in ${file}`);
      return false;
    }
    writeFileSync(
      join(copy, file),
      source.replace(from, () => to),
    );
    const caught = fails(copy, mutant);
    writeFileSync(join(copy, file), source);
    // A test that fails in any case has caught nothing.
    const isSound = !caught || passes(copy, mutant);
    console.log(`${caught ? (isSound ? "caught       " : "FAILS ANYHOW ") : "NOT CAUGHT   "} ${bug} (${caughtBy})`);
    return caught && isSound;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Some faults depend on chance, such as which process looks first. */
function fails(copy: string, mutant: Mutant): boolean {
  for (let tries = 0; tries < TRIES; tries++) {
    const { status, stdout, error } = runTest(copy, mutant);
    // It hangs, which its own limits would show later.
    if ((error as { code?: string } | undefined)?.code === "ETIMEDOUT") return true;
    // A test that could not start proves nothing.
    if (!/[1-9]\d* passed|\(fail\)|Not done after/.test(stdout)) {
      console.log(stdout.slice(-2_000));
      return false;
    }
    if (status !== 0) return true;
  }
  return false;
}

/** Tried up to three times too: a busy machine may make a sound test fail. */
function passes(copy: string, mutant: Mutant): boolean {
  const name = `${mutant.caughtBy} ${mutant.only ?? ""}`;
  for (let tries = 0; tries < TRIES && !sound.has(name); tries++)
    if (runTest(copy, mutant).status === 0) sound.add(name);
  return sound.has(name);
}

function runTest(copy: string, mutant: Mutant) {
  const only = mutant.only === undefined ? [] : ["--only", mutant.only];
  const runner = [join(root, "scripts/test.js"), "--root", copy, "--runtime", "bun", ...only, testFileOf(mutant)];
  const options = { cwd: copy, timeout: LIMIT_MS, encoding: "utf8", env: ENVIRONMENT } as const;
  return spawnSync(process.execPath, runner, options);
}

/** Packages of this repository are linked within the copy, all others from here. */
function copyRepository(copy: string): void {
  for (const part of ["packages", "test", "package.json", "tsconfig.json"])
    cpSync(join(root, part), join(copy, part), {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(path.slice(root.length - 1)),
    });
  linkModules(join(root, "node_modules"), join(copy, "node_modules"));
}

function linkModules(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && entry.name.startsWith("@")) linkModules(source, target);
    else if (entry.isSymbolicLink() && readlinkSync(source).includes("packages/"))
      symlinkSync(readlinkSync(source), target);
    else symlinkSync(realpathSync(source), target);
  }
}
