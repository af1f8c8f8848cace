import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { root } from "../../support/program.ts";

const FIXTURE = new URL("../../fixtures/previous-engine.json.gz", import.meta.url);

/** Where releases keep the program, the newest layout first. */
const PROGRAMS = ["test/faults/support/program.js", "test/faults/program.js"];

/**
 * The program of the fault tests as the previous release ran it (scripts/previous-engine.js); where it was unpacked. Until the
 * release with plans is published it is commit 33a8b00, the first version whose policy is to run beside the next.
 */
export function previousProgram(): string {
  const packed = readFileSync(FIXTURE);
  const cache = join(root, "node_modules/.cache");
  const folder = join(cache, `previous-engine-${createHash("sha256").update(packed).digest("hex").slice(0, 12)}`);
  if (!existsSync(folder)) unpack(packed, folder);
  return PROGRAMS.map((path) => join(folder, path)).find((path) => existsSync(path)) ?? folder;
}

/** Beside its place first: two tests may start at once. */
function unpack(packed: Buffer, folder: string): void {
  const { files } = JSON.parse(gunzipSync(packed).toString()) as { files: Record<string, string> };
  const own = `${folder}.${process.pid}`;
  for (const [name, code] of Object.entries({ ...files, "package.json": '{"type":"module"}' })) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), code);
  }
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true, force: true });
  }
}
