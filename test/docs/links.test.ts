// runtimes: node

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { root } from "../support/program.ts";
import { documents, textOf } from "./support/blocks.ts";

const FURTHER = ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];

test("every relative link of the documentation leads to a file, and to a heading of it", () => {
  const broken = [...documents(), ...FURTHER].flatMap((document) =>
    linksOf(document)
      .filter((link) => !leadsSomewhere(document, link))
      .map((link) => `${document} -> ${link}`),
  );
  assert.deepEqual(broken, []);
});

test("every page of the documentation can be reached from its index", () => {
  const reached = new Set(["docs/README.md"]);
  for (const document of reached)
    for (const link of linksOf(document)) {
      const target = normalize(join(dirname(document), link.split("#")[0] ?? ""));
      if (target.endsWith(".md") && existsSync(join(root, target))) reached.add(target);
    }
  assert.deepEqual(
    documents().filter((document) => document.startsWith("docs/") && !reached.has(document)),
    [],
  );
});

test("the README is short enough to be read", () => {
  assert.ok(textOf("README.md").split("\n").length <= 150);
});

function linksOf(document: string): string[] {
  const prose = textOf(document)
    .replaceAll(/^```[\s\S]*?^```$/gm, "")
    .replaceAll(/`[^`\n]*`/g, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : normalize(join(dirname(document), path));
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith(".md") || anchorsOf(target).includes(anchor);
}

/** As GitHub makes them: lower case, without punctuation, spaces as dashes. */
function anchorsOf(document: string): string[] {
  const prose = textOf(document).replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
