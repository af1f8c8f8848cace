// Draws the pictures of docs/internals from their Mermaid sources with our own `render`. Node 24 or Bun: it loads TypeScript.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { closeRenderers, render } from "../packages/diagrams/src/index.ts";

const FOLDER = fileURLToPath(new URL("../docs/internals/", import.meta.url));

/** The pictures as they should be, by the path of their files. */
export async function drawInternals() {
  const pictures = new Map();
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".mmd"))) {
    const { data } = await render(readFileSync(FOLDER + name, "utf8"), {
      format: "mermaid",
      options: { background: "white" },
    });
    pictures.set(FOLDER + name.replace(/\.mmd$/, ".svg"), `${data}\n`);
  }
  return pictures;
}

if (import.meta.main) {
  for (const [path, svg] of await drawInternals()) writeFileSync(path, svg);
  await closeRenderers();
}
