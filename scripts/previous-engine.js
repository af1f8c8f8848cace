// node scripts/previous-engine.js (Node 24): keeps this version's engine, compiled, as the fixture that the next version's
// tests run beside (test/faults/beside-previous.test.ts). To be run when a version is released.
//
// It is the program of the fault tests with all that it imports: types stripped, one file each, as gzipped JSON.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const FIXTURE = join(root, "test/fixtures/previous-engine.json.gz");
// Threads that a store starts by an address it puts together.
const ENTRIES = ["test/faults/program.ts", "src/store/sqlite/thread.ts", "src/store/postgres/thread.ts"];
const IMPORT = /(\bfrom\s*|\bimport\s*\(?\s*|new URL\()(["'])(\.{1,2}\/[^"']+)\.ts\2/g;

const files = {};
for (const entry of ENTRIES) add(join(root, entry));
mkdirSync(dirname(FIXTURE), { recursive: true });
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const packed = gzipSync(JSON.stringify({ version, files }), { level: 9 });
writeFileSync(FIXTURE, packed);
process.stdout.write(
  `${Object.keys(files).length} files of ${version}, ${Math.ceil(packed.length / 1024)} kB: ${relative(root, FIXTURE)}\n`,
);

function add(path) {
  const name = relative(root, path).replace(/\.ts$/, ".js");
  if (name in files) return;
  files[name] = "";
  const code = stripTypeScriptTypes(readFileSync(path, "utf8"));
  files[name] = code.replace(IMPORT, (whole, before, quote, target) => {
    const imported = join(dirname(path), `${target}.ts`);
    if (!existsSync(imported)) return whole;
    add(imported);
    return `${before}${quote}${target}.js${quote}`;
  });
}
