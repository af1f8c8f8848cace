import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Block } from "./blocks.ts";
import { fileNamed, installPackages } from "./project.ts";

/** A block as a file in the folder of its page. */
export interface Program {
  readonly block: Block;
  /** Where it stands in the documentation: `docs/recipes.md:12`. */
  readonly place: string;
  readonly folder: string;
  readonly file: string;
}

/** Writes every block into a folder of its page below `home`, in which `install` makes the packages available. */
export function writePages(home: string, blocks: readonly Block[], install = installPackages): Program[] {
  install(home);
  const taken = new Set<string>();
  return blocks.map((block) => {
    const folder = join(home, block.document.replaceAll("/", "-").replace(/\.md$/, ""));
    const file = fileNamed(block.code) ?? `line-${block.line}.ts`;
    const place = `${block.document}:${block.line}`;
    assert.ok(!taken.has(join(folder, file)), `${place}: the page has another block named ${file}`);
    taken.add(join(folder, file));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), block.code);
    return { block, place, folder, file };
  });
}
