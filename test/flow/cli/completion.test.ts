// runtimes: bun

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { output } from "../../support/cli.ts";
import { engineRoot, RUNTIME, root, run, temporaryFolder } from "../../support/program.ts";
import { skipWithout } from "../../support/system.ts";

const GREETINGS = join(root, "examples/workload/greetings.ts");

/** A folder with `millrace` on its PATH, as an installation has it, and the script of a shell. */
async function installed(t: TestContext, shell: string) {
  const folder = temporaryFolder(t);
  const flags = process.versions["bun"] ? ["--no-env-file"] : [];
  const command = [...RUNTIME, ...flags, join(engineRoot, "src/cli/main.ts")].map((word) => `'${word}'`).join(" ");
  writeFileSync(join(folder, "millrace"), `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(join(folder, "millrace"), 0o755);
  writeFileSync(join(folder, "payload.json"), "{}");
  const script = join(folder, `completion.${shell}`);
  writeFileSync(script, await output(t, ["completion", shell]));
  const env = { PATH: `${folder}:${process.env["PATH"]}`, MILLRACE_LOAD: GREETINGS };
  return { folder, script, env };
}

/** Each line's candidates, as bash computes them when TAB is pressed at the end of the line. */
async function inBash(t: TestContext, lines: readonly string[]): Promise<string[][]> {
  const { folder, script, env } = await installed(t, "bash");
  // Split as bash splits a line for completion: an equals sign is a word of its own.
  const calls = lines.map((line) => {
    const words = line.split(" ").flatMap((word) => word.split(/(=)/).filter((part, at) => at === 0 || part !== ""));
    const quoted = words.map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(${quoted}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _millrace; printf '%s ' "\${COMPREPLY[@]}"; echo`;
  });
  const program = run(t, ["bash", "--norc", "-c", `source '${script}'\n${calls.join("\n")}`], { env, cwd: folder });
  assert.equal((await program.ended()).code, 0, program.stderr());
  return program
    .stdout()
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(" ").filter(Boolean));
}

describe("shell completion", () => {
  test("in bash offers commands, flags, values and files, with those of a workload", async (t) => {
    const lines: [line: string, expected: string[]][] = [
      ["millrace ser", ["serve"]],
      ["millrace gree", ["greet"]],
      ["millrace jobs l", ["list", "logs"]],
      ["millrace help sched", ["schedules"]],
      ["millrace serve --p", ["--port"]],
      ["millrace serve --port 1 --p", []],
      ["millrace greet --wa", ["--wait"]],
      ["millrace jobs list --status fa", ["failed"]],
      ["millrace jobs list --status=fa", ["failed"]],
      ["millrace dlq revive --from ", ["failed-stage", "start"]],
      ["millrace completion f", ["fish"]],
      ["millrace dev --load pay", ["payload.json"]],
      ["millrace nothing ", []],
      ["millrace --nothing", []],
    ];
    const found = await inBash(
      t,
      lines.map(([line]) => line),
    );
    assert.deepEqual(
      lines.map(([line], at) => [line, found[at]]),
      lines,
    );
  });

  test("in zsh is a script that zsh accepts and that offers commands", { skip: skipWithout("zsh") }, async (t) => {
    const { folder, script, env } = await installed(t, "zsh");
    // _describe is what zsh draws the menu with: here it prints what it was given.
    const code = `compdef() { :; }; source '${script}'; _describe() { print -l -- "\${(@P)2}"; }; words=(millrace jobs l); CURRENT=3; _millrace`;
    const program = run(t, ["zsh", "-f", "-c", code], { env, cwd: folder });
    assert.equal((await program.ended()).code, 0, program.stderr());
    assert.match(program.stdout(), /^list:list jobs, newest first\nlogs:/);
  });

  test("in fish offers commands with their descriptions", { skip: skipWithout("fish") }, async (t) => {
    const { folder, script, env } = await installed(t, "fish");
    const code = `source '${script}'; complete -C 'millrace jobs l'; complete -C 'millrace serve --po'`;
    const program = run(t, ["fish", "--no-config", "-c", code], { env: { ...env, HOME: folder }, cwd: folder });
    assert.equal((await program.ended()).code, 0, program.stderr());
    assert.match(program.stdout(), /^list\tlist jobs, newest first\nlogs\t.*\n--port\t/);
  });

  test("has a script of valid syntax for every shell that is here", async (t) => {
    const checks = { bash: ["bash", "-n"], zsh: ["zsh", "-n"], fish: ["fish", "--no-execute"] };
    for (const [shell, [program = "", flag = ""]] of Object.entries(checks)) {
      const { script } = await installed(t, shell);
      assert.ok(existsSync(script));
      const { error, status, stderr } = spawnSync(program, [flag, script], { encoding: "utf8" });
      if (error === undefined) assert.equal(status, 0, stderr);
    }
  });
});
