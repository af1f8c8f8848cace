// Texts that stand once in the repository and are published with a package: the licence with each, README, changelog and docs
// with the engine. npm packs only what lies in the package's folder.

import { cpSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

/** Records and pictures that a user of the package does not look up. */
const LEFT_OUT = /^(decisions|gallery|images)$/;

export function copyTexts(root, name) {
  const home = join(root, "packages", name);
  cpSync(join(root, "LICENSE"), join(home, "LICENSE"));
  if (name !== "millrace") return;
  for (const file of ["README.md", "CHANGELOG.md"]) cpSync(join(root, file), join(home, file));
  const docs = join(root, "docs");
  rmSync(join(home, "docs"), { recursive: true, force: true });
  cpSync(docs, join(home, "docs"), {
    recursive: true,
    filter: (file) => !LEFT_OUT.test(relative(docs, file).split(/[\\/]/)[0] ?? ""),
  });
}
