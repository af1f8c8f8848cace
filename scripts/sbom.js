// npm run sbom [-- file]: writes what the published package installs as CycloneDX (sbom.cdx.json), from the lockfile alone.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { VENDORED } from "./building/vendored.js";

/** Licences that stand in a file of the package and not in its package.json. */
const LICENCES = { "bob-wasm": "MIT" };

const root = fileURLToPath(new URL("..", import.meta.url));
const file = resolve(process.argv[2] ?? "sbom.cdx.json");
const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
const { status, stdout, stderr, error } = spawnSync("npm", args, {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 * 1024 ** 2,
  // On Windows npm is a script of the shell.
  shell: process.platform === "win32",
});
if (status !== 0) {
  process.stderr.write(`npm could not write the SBOM; it needs npm 10 or newer.\n${error?.message ?? stderr}\n`);
  process.exit(1);
}
const sbom = withoutTools(JSON.parse(stdout));
writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
process.stdout.write(`Wrote ${sbom.components.length} components to ${file}\n`);

/**
 * npm's own `--omit dev` also leaves out packages that a tool needs beside us. Bundled packages are published inside ours, so
 * they stay.
 */
function withoutTools({ components, dependencies, ...rest }) {
  const isTool = ({ name: component, properties = [] }) =>
    !VENDORED.includes(component) &&
    properties.some(({ name, value }) => name === "cdx:npm:package:development" && value === "true");
  const tools = new Set(components.filter(isTool).map((each) => each["bom-ref"]));
  return {
    ...rest,
    components: components.filter((each) => !tools.has(each["bom-ref"])).map(withLicence),
    dependencies: dependencies
      .filter(({ ref }) => !tools.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => !tools.has(each)) })),
  };
}

function withLicence(component) {
  const id = LICENCES[component.name];
  return id === undefined || component.licenses?.length ? component : { ...component, licenses: [{ license: { id } }] };
}
