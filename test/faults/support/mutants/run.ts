// Proves the harness: known bugs are put into a copy of the engine one at a time, and the fault test named must fail.
//   node test/faults/support/mutants/run.ts [part of a bug's name ...]     (about ten minutes; not part of CI)

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
import { MUTANTS, type Mutant } from "./list.ts";

const LIMIT_MS = 300_000;
const TRIES = 3;
const ENVIRONMENT = { ...process.env, FAULT_KILLS: "20", TEST_SLOWNESS: "2" };
const LEFT_OUT = /\/(?:node_modules|dist|\.tmp)(?:\/|$)/;

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const wanted = process.argv.slice(2);
const mutants = MUTANTS.filter(({ bug }) => wanted.length === 0 || wanted.some((part) => bug.includes(part)));
const survivors = mutants.filter((mutant) => !isCaught(mutant));
console.log(`${mutants.length - survivors.length} of ${mutants.length} caught`);
process.exitCode = survivors.length > 0 ? 1 : 0;

function isCaught({ bug, file, from, to, caughtBy }: Mutant): boolean {
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
    const caught = fails(copy, caughtBy);
    console.log(`${caught ? "caught       " : "NOT CAUGHT   "} ${bug} (${caughtBy})`);
    return caught;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Some faults depend on chance, such as which process looks first. */
function fails(copy: string, caughtBy: string): boolean {
  const runner = [join(root, "scripts/test.js"), "--root", copy, "--runtime", "bun", `test/faults/${caughtBy}.test`];
  const options = { cwd: copy, timeout: LIMIT_MS, encoding: "utf8", env: ENVIRONMENT } as const;
  for (let tries = 0; tries < TRIES; tries++) {
    const { status, stdout, error } = spawnSync(process.execPath, runner, options);
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
