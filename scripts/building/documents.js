// Documents that exist once in the repository and are published with a package: the licence with each, README, changelog and
// docs with the engine. npm packs only files in the package's folder.

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { linksTo } from "./links.js";

/** Records and pictures that a user of the package does not look up. */
const LEFT_OUT = /^(decisions|gallery|images)$/;

export function copyDocuments(root, name) {
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
  const pages = readdirSync(join(home, "docs"), { recursive: true, encoding: "utf8" });
  const documents = ["README.md", "CHANGELOG.md", ...pages.map((page) => join("docs", page))];
  for (const document of documents) if (document.endsWith(".md")) pointToRepository(root, home, document);
}

/**
 * Links to files that are not in the package lead to the repository. Those of the README all do: npm shows it as a web page,
 * where the package's other pages do not exist.
 */
function pointToRepository(root, home, document) {
  const { repository } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const isThere = (path) => document !== "README.md" && existsSync(join(home, path));
  const file = join(home, document);
  const rewritten = linksTo(readFileSync(file, "utf8"), (link) => {
    const [path, anchor] = link.split("#");
    if (path === "") return link;
    const target = normalize(join(dirname(document), path));
    if (isThere(target)) return link;
    const address = addressOf(repository.url, root, target);
    return anchor === undefined ? address : `${address}#${anchor}`;
  });
  writeFileSync(file, rewritten);
}

function addressOf(repository, root, path) {
  const web = repository.replace(/^git\+/, "").replace(/\.git$/, "");
  if (/\.(png|svg)$/.test(path)) return `${web}/raw/HEAD/${path}`;
  return `${web}/${/\.\w+$/.test(path) || !existsSync(join(root, path)) ? "blob" : "tree"}/HEAD/${path}`;
}
