// node scripts/previous-engine.js [checkout]: keeps the engine of a version, compiled, as the fixture that the next version's
// tests run beside (test/faults/versions/beside-previous.test.ts). Run it when a version is released, on the checkout of
// that release with its packages installed (this one unless named).
//
// The fixture holds the program of the fault tests with everything it imports, packages too, as gzipped JSON: a dependency that
// leaves package.json later is still there. A module keeps a file of its own, so that a stack trace names it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const own = fileURLToPath(new URL("..", import.meta.url));
const root = resolve(process.argv[2] ?? own);
const FIXTURE = join(own, "test/fixtures/previous-engine.json.gz");
// Checkouts of before the workspaces have no packages.
const src = existing("packages/millrace/src", "src");
// A store builds the address of its thread at run time, so the bundler needs each thread as an entry.
const ENTRIES = [
  existing("test/faults/support/program.ts", "test/faults/program.ts"),
  existing(`${src}/store/sqlite/thread/thread.ts`, `${src}/store/sqlite/thread.ts`),
  existing(`${src}/store/postgres/thread/thread.ts`, `${src}/store/postgres/thread.ts`),
];
/** An addition to pg that is not installed here, and that we do not use. */
const EMPTY = "pg-native";

const bundle = await rolldown({
  cwd: root,
  input: ENTRIES.map((entry) => join(root, entry)),
  platform: "node",
  plugins: [
    { name: "addresses-of-threads", transform: rewriteAddresses },
    {
      name: "empty-package",
      resolveId: (id) => (id === EMPTY ? id : undefined),
      load: (id) => (id === EMPTY ? "module.exports = {};" : undefined),
    },
  ],
});
const { output } = await bundle.generate({
  format: "es",
  preserveModules: true,
  preserveModulesRoot: root,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});
const files = Object.fromEntries(output.map(({ fileName, code }) => [fileName, code]));
checkOutput();

const { version } = JSON.parse(readFileSync(join(root, src, "../package.json"), "utf8"));
const commit = execFileSync("git", ["-C", root, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
const packed = gzipSync(JSON.stringify({ version, commit, files }), { level: 9 });
mkdirSync(dirname(FIXTURE), { recursive: true });
writeFileSync(FIXTURE, packed);
process.stdout.write(
  `${Object.keys(files).length} files of ${version} (${commit.slice(0, 7)}), ${Math.ceil(packed.length / 1024)} kB: ${relative(own, FIXTURE)}\n`,
);

/** The first of these paths that the checkout has: older versions kept their files elsewhere. */
function existing(...paths) {
  return paths.find((path) => existsSync(join(root, path)));
}

function rewriteAddresses(code) {
  return code.replace(/new URL\((["'])(\.[^"']+)\.ts\1, import\.meta\.url\)/g, "new URL($1$2.js$1, import.meta.url)");
}

function checkOutput() {
  for (const entry of ENTRIES)
    if (!files[entry.replace(/\.ts$/, ".js")]) throw new Error(`Not in the bundle: ${entry}`);
  const isInside = (name) => name in files || isBuiltin(name);
  const outside = output.flatMap(({ imports }) => imports).filter((name) => !isInside(name));
  if (outside.length > 0) throw new Error(`Not bundled: ${outside.join(", ")}`);
}
