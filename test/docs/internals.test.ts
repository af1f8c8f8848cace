// runtimes: node

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, describe, test } from "node:test";
import { closeRenderers } from "../../packages/diagrams/src/index.ts";
import { drawInternals } from "../../scripts/internals.js";
import { root } from "../support/program.ts";

after(() => closeRenderers());

describe("docs/internals", () => {
  test("has pictures that are drawn from their sources: npm run internals", async () => {
    const pictures = await drawInternals();
    assert.deepEqual([...pictures.keys()].map((path) => basename(path)).sort(), ["postgres.svg", "sqlite.svg"]);
    for (const [path, svg] of pictures) assert.equal(readFileSync(path, "utf8"), svg, path);
  });

  test("has recipes that name files which exist", () => {
    const text = readFileSync(join(root, "docs/internals/recipes.md"), "utf8");
    const named = [...text.matchAll(/`((?!\S*00NN)[\w./-]+\.tsx?)`/g)].map(([, path = ""]) => path);
    const files = ["packages/millrace/src", "packages/millrace/dashboard", "packages/diagrams"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => `/${file}`),
    );
    const missing = named.filter((path) => !files.some((file) => file.endsWith(`/${path}`)));
    assert.deepEqual(missing, []);
    assert.ok(named.length > 15);
  });
});
