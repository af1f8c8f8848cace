// runtimes: node
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, run, temporaryFolder } from "./support/program.ts";

interface Component {
  name: string;
  version: string;
  licenses?: unknown[];
  hashes?: unknown[];
}

test("npm run sbom writes a CycloneDX file with every package that is installed, its version and licence", async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  assert.equal(scripts.sbom, "node scripts/sbom.js");
  const file = join(temporaryFolder(t), "sbom.cdx.json");
  const program = run(t, [process.execPath, "scripts/sbom.js", file]);
  assert.equal((await program.ended()).code, 0, program.stderr());
  const { bomFormat, components } = JSON.parse(readFileSync(file, "utf8")) as {
    bomFormat: string;
    components: Component[];
  };
  assert.equal(bomFormat, "CycloneDX");
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const names = ["millrace", "diagrams", "sites"].flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
    return Object.keys(manifest.dependencies);
  });
  for (const name of names) {
    const found = components.find((each) => each.name === name);
    assert.ok(found?.licenses?.length && found.hashes?.length, name);
    assert.equal(found.version, packages[`node_modules/${name}`].version);
  }
  assert.ok(!components.some(({ name }) => name === "typescript"), "tools of development are no part of it");
});
