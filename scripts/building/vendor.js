// zod in dist/vendor instead of among the dependencies: 0.2 MB of its 8.2 MB are used.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { rolldown } from "rolldown";
import { importsIn } from "./declarations.js";

const IMPORT = /^import (type )?\{ z \} from "zod";$/gm;
/** As tsc writes a type that it has inferred. */
const INLINE_IMPORT = /\bimport\("zod"\)\./g;

/** Made with the zod of the caller: its declarations name the caller's copy, and its code gets ours as an argument. */
const OF_THE_CALLER = /[\\/]api[\\/]((job|option)-)?shapes-of\.(js|d\.ts)$/;

/** Points every built file at dist/vendor/zod.js, and writes that file with the members of `z` that they use. */
export async function vendorZod(root, dist) {
  const users = builtFiles(dist).filter(
    (file) => !OF_THE_CALLER.test(file) && /["']zod["']/.test(readFileSync(file, "utf8")),
  );
  const members = new Set(
    builtFiles(dist)
      .filter((file) => OF_THE_CALLER.test(file))
      .flatMap(membersIn),
  );
  for (const file of users) {
    const code = readFileSync(file, "utf8");
    const path = pathBetween(file, join(dist, "vendor/zod.js"));
    const pointed = code
      .replace(IMPORT, `import $1{ z } from "${path}";`)
      .replace(INLINE_IMPORT, `import("${path}").z.`);
    if (namesZod(pointed)) throw new Error(`${file}: write import { z } from "zod", for the build to find it`);
    writeFileSync(file, pointed);
    for (const member of membersIn(file)) members.add(member);
  }
  if (users.length === 0) return;
  const zod = dirname(createRequire(join(root, "package.json")).resolve("zod/package.json"));
  await bundle(join(dist, "vendor"), [...members].sort());
  copyTypes(zod, join(dist, "vendor"));
  cpSync(join(zod, "LICENSE"), join(dist, "vendor/zod.LICENSE"));
}

/** The members of `z` that a built file uses. */
function membersIn(file) {
  if (!file.endsWith(".js")) return [];
  return [...readFileSync(file, "utf8").matchAll(/\bz\s*\.(\w+)/g)].map(([, member]) => member);
}

/** Not in a comment: the examples of doc comments import the reader's own zod. */
function namesZod(text) {
  return /["']zod["']/.test(text.replace(/\/\*[\s\S]*?\*\//g, ""));
}

/** Named one by one: rolldown then leaves out all others, 50 languages among them. */
async function bundle(folder, members) {
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, "entry.js");
  writeFileSync(
    entry,
    `import { z as zod } from "zod";\nexport const z = { ${members.map((name) => `${name}: zod.${name}`).join(", ")} };\n`,
  );
  const bundled = await rolldown({ input: entry, platform: "node" });
  await bundled.write({ file: join(folder, "zod.js"), format: "es" });
  rmSync(entry);
}

/** The declarations that `z` leads to, but for the languages. */
function copyTypes(zod, folder) {
  const home = join(folder, "zod");
  const waiting = ["v4/classic/external.d.ts"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const target = join(home, path);
    if (existsSync(target)) continue;
    const text = readFileSync(join(zod, path), "utf8").replace(/^export \* as locales from .*$/m, "");
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    const near = importsIn(text).filter((name) => name.startsWith("."));
    for (const name of near) waiting.push(join(dirname(path), name.replace(/\.js$/, ".d.ts")));
  }
  writeFileSync(join(folder, "zod.d.ts"), 'import * as z from "./zod/v4/classic/external.js";\nexport { z };\n');
}

function builtFiles(dist) {
  return readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(js|d\.ts)$/.test(file))
    .map((file) => join(dist, file));
}

function pathBetween(from, to) {
  const path = relative(dirname(from), to).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}
