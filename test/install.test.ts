// runtimes: node
// A clone starts on Node 20: `npm ci` there installs everything, without a warning.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./support/program.ts";

interface Locked {
  readonly optional?: boolean;
  readonly os?: unknown;
  readonly engines?: { readonly node?: string };
}

test("no optional package needs a Node newer than 20, since npm on Node 20 would leave it out in silence", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const left = Object.entries(packages).filter(
    ([, { optional, os, engines }]) => optional && os === undefined && !takesNode20(engines?.node ?? "*"),
  );
  assert.deepEqual(
    left.map(([path]) => path),
    [],
  );
});

test("the check of engines tells ranges with Node 20 from those without", () => {
  for (const range of ["*", ">=18", ">= 0.8.0", "^18.0.0 || >=20.9.0", "20 || 22", ">=16 <23", "^20.19.0 || >=22.12.0"])
    assert.ok(takesNode20(range), range);
  for (const range of [">=22", "^22.17.0 || >=24.0.0", ">=22.12.0", "24", "^18.0.0"])
    assert.ok(!takesNode20(range), range);
});

test("npm is told to print errors alone, so that engines of packages that run on Node 24 or Bun are no warnings", () => {
  assert.match(readFileSync(join(root, ".npmrc"), "utf8"), /^loglevel=error$/m);
});

/** By the major version, which is all that our dependencies differ in. */
function takesNode20(range: string): boolean {
  return range.split("||").some((part) => {
    const major = Number(/\d+/.exec(part)?.[0] ?? 0);
    const isOpen = part.includes(">") || part.trim() === "*";
    const below = Number(/<\s*(\d+)/.exec(part)?.[1] ?? Number.POSITIVE_INFINITY);
    return isOpen ? major <= 20 && below > 20 : major === 20;
  });
}
