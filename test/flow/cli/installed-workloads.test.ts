// A package with a workload brings its commands: npm install is enough to call them.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { cli, output } from "../../support/cli.ts";
import { engineRoot, temporaryFolder } from "../../support/program.ts";

/** A project that has installed the package `bells` with a workload, and `silent` with none. */
function project(t: TestContext, manifest: object): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  installs(folder, "silent", { name: "silent" }, "");
  const declared = {
    name: "bells",
    type: "module",
    exports: { "./workload": "./w.js", "./package.json": "./package.json" },
  };
  installs(
    folder,
    "bells",
    { ...declared, millrace: { workload: "./workload" } },
    `import { defineWorkload } from ${JSON.stringify(join(engineRoot, "src/index.ts"))};
     import { defineCommand } from ${JSON.stringify(join(engineRoot, "src/cli/kit.ts"))};
     const command = defineCommand({ args: [], flags: {}, examples: ["ring"], async run() { console.log("ding"); return 0; } });
     export const bells = defineWorkload({
       name: "bells",
       commands: [{ name: "ring", summary: "ring the bells", load: async () => ({ command }) }],
     });`,
  );
  return folder;
}

function installs(folder: string, name: string, manifest: object, code: string): void {
  const at = join(folder, "node_modules", name);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(at, "w.js"), code);
}

describe("a workload of an installed package", () => {
  test("brings its commands, without further configuration", async (t) => {
    const folder = project(t, { dependencies: { silent: "1", bells: "1", absent: "1" } });
    assert.equal(await output(t, ["ring"], {}, folder), "ding\n");
    const inside = join(folder, "docs");
    mkdirSync(inside);
    assert.equal(await output(t, ["ring"], {}, inside), "ding\n");
    assert.match(await output(t, ["--help"], {}, folder), /^ {2}ring +ring the bells$/m);
  });

  test("counts when it is a development dependency or loaded besides", async (t) => {
    const folder = project(t, { devDependencies: { bells: "1" }, millrace: { load: ["bells/workload"] } });
    const help = await output(t, ["--help"], {}, folder);
    assert.equal(help.match(/ring the bells/g)?.length, 1);
  });

  test("is no command of a project that does not depend on it", async (t) => {
    const program = cli(t, ["ring"], {}, project(t, { dependencies: { silent: "1" } }));
    assert.equal((await program.ended()).code, 2);
    assert.match(program.stderr(), /Unknown command "ring"/);
  });

  test("that does not load is named, and takes no command of another away", async (t) => {
    const folder = project(t, { dependencies: { bells: "1", broken: "1" } });
    const declared = {
      name: "broken",
      type: "module",
      exports: { "./w": "./w.js", "./package.json": "./package.json" },
    };
    installs(folder, "broken", { ...declared, millrace: { workload: "./w" } }, 'throw new Error("no bell here");');
    const help = cli(t, ["--help"], {}, folder);
    assert.equal((await help.ended()).code, 0);
    assert.match(help.stdout(), /^ {2}ring +ring the bells$/m);
    assert.match(help.stderr(), /^millrace: The commands of the package "broken" are missing: .*no bell here/);
    assert.doesNotMatch(help.stderr(), /--load/);
    assert.equal(await output(t, ["ring"], {}, folder), "ding\n");
  });
});
