import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { root } from "../../support/program.ts";

/**
 * Engines that this one must run beside. `previous` is the last release (scripts/previous-engine.js makes it again at the next
 * one). `plans` is commit 33a8b00, the first version with plans and with that policy: its schema is the oldest.
 */
export const EARLIER_ENGINES = ["previous", "plans"] as const;

/** Where releases keep the program, the newest layout first. */
const PROGRAMS = ["test/faults/support/program.js", "test/faults/program.js"];

/** Where the program of the fault tests was unpacked, as that engine's version ran it. */
export function earlierProgram(engine: (typeof EARLIER_ENGINES)[number]): string {
  const packed = readFileSync(new URL(`../../fixtures/${engine}-engine.json.gz`, import.meta.url));
  const cache = join(root, "node_modules/.cache");
  const folder = join(cache, `${engine}-engine-${createHash("sha256").update(packed).digest("hex").slice(0, 12)}`);
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
