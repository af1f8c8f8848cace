// runtimes: node
// time-limit: 300 s

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { MermaidEngine } from "../src/mermaid/engine.ts";
import { draw, exhibits, page } from "./support/gallery.ts";

const LONG_MS = 200_000;
const docs = new URL("../../../docs/", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, docs), "utf8");

describe("the gallery", () => {
  test("shows every kind that Mermaid registers", async () => {
    const names: Record<string, string> = {
      "flowchart-v2": "flowchart",
      classDiagram: "class",
      stateDiagram: "state",
      quadrantChart: "quadrant",
    };
    const kinds = (await new MermaidEngine().kinds()).filter((kind) => kind !== "error" && kind !== "---");
    const files = exhibits().map(({ file }) => file);
    const missing = kinds.filter((kind) => !files.some((file) => file.startsWith(`mermaid-${names[kind] ?? kind}-`)));
    assert.deepEqual(missing, []);
  });

  test("is the page and the files that its script writes", () => {
    const hint = "run: node_modules/.bin/node scripts/gallery.js";
    assert.equal(read("gallery.md"), page(), hint);
    assert.deepEqual(
      readdirSync(new URL("gallery/", docs)).sort(),
      exhibits()
        .map(({ file }) => file)
        .sort(),
      hint,
    );
  });

  test("is as we draw today, byte by byte", { timeout: LONG_MS }, async () => {
    const changed: string[] = [];
    for (const each of exhibits()) if ((await draw(each)) !== read(`gallery/${each.file}`)) changed.push(each.title);
    assert.deepEqual(changed, [], "run: node_modules/.bin/node scripts/gallery.js");
  });
});
