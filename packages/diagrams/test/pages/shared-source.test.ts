import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceFromHash, sourceToHash } from "../../src/pages/shared-source.ts";

test("a diagram survives the way through an address, in any script", () => {
  for (const source of ["flowchart LR\n  a --> b\n", "größe → 水車 🌊 + / = ?", " "]) {
    const hash = sourceToHash(source);
    assert.match(hash, /^source=[\w-]+$/);
    assert.equal(sourceFromHash(`#${hash}`), source);
  }
});

test("an address without a diagram, or with a broken one, has none", () => {
  for (const hash of ["", "#main", "#source=", "#source=%", "#source=_w"])
    assert.equal(sourceFromHash(hash), undefined);
});
