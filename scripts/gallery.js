// node_modules/.bin/node scripts/gallery.js: writes docs/gallery.md and its drawings.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { draw, exhibits, page } from "../packages/diagrams/test/support/gallery.ts";

const folder = new URL("../docs/gallery/", import.meta.url);
mkdirSync(folder, { recursive: true });
const all = exhibits();
for (const file of readdirSync(folder)) if (!all.some((each) => each.file === file)) rmSync(new URL(file, folder));
for (const each of all) writeFileSync(new URL(each.file, folder), await draw(each));
writeFileSync(new URL("../docs/gallery.md", import.meta.url), page());
process.exit(0);
