// node scripts/stored-data.js [checkout]: makes test/fixtures/stored-sqlite.json.gz and stored-postgres.json.gz with the engine of a
// checkout (this one unless named), whose packages must be installed. A test opens them with the engine of today. They stay as
// they are until a release no longer has to open data of that age: data that the engine of today made would prove little.

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findRuntime, SOURCE_FLAGS } from "../packages/millrace/bin/runtimes.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const found = findRuntime({ root, wanted: "node" });
if ("problem" in found) throw new Error(found.problem);
const args = [...SOURCE_FLAGS, "test/stored-data/support/make.ts", resolve(process.argv[2] ?? root)];
process.exitCode = spawnSync(found.path, args, { cwd: root, stdio: "inherit" }).status ?? 1;
