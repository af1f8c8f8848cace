// The declarations of `millrace/dashboard`, in dist/dashboard. The module itself is in the built dashboard, which gives it to
// pages in the browser.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Before the extensions of imports are rewritten. */
export function dashboardTypes(root, home, dist) {
  const fresh = mkdtempSync(join(home, "dist-types-"));
  try {
    const tsc = join(root, "node_modules/.bin/tsc");
    const args = ["-p", "dashboard/tsconfig.types.json", "--outDir", fresh];
    const { status } = spawnSync(tsc, args, { cwd: home, stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
    cpSync(join(fresh, "dashboard"), join(dist, "dashboard"), { recursive: true });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  for (const name of readdirSync(join(dist, "dashboard"), { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".d.ts")) pointToDist(join(dist, "dashboard", name));
  }
}

/** The client is beside it there, and what was written in JSX has become JavaScript. */
function pointToDist(file) {
  const types = readFileSync(file, "utf8");
  writeFileSync(file, types.replaceAll("/src/client/", "/client/").replaceAll(/(["']\.[^"']+)\.tsx(["'])/g, "$1.ts$2"));
}
