import assert from "node:assert/strict";
import { test } from "node:test";
import { TenantFigures } from "./tenant-figures.ts";

test("each tenant is counted by name while there is room", () => {
  const figures = new TenantFigures();
  figures.add("a", "submitted", 2);
  figures.add("a", "completed", 1);
  figures.add("b", "refused", 1);
  assert.deepEqual(Object.fromEntries(figures.view()), {
    a: { submitted: 2, completed: 1, failed: 0, refused: 0 },
    b: { submitted: 0, completed: 0, failed: 0, refused: 1 },
  });
});

test("of many tenants the hundred busiest get names, and nothing is counted twice or lost", () => {
  const figures = new TenantFigures();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 5_000; i++) figures.add(`small-${i}`, "submitted", 1);
    for (let i = 0; i < 100; i++) figures.add(`big-${i}`, "submitted", 50);
    figures.turn();
  }
  const view = figures.view();
  assert.equal(view.size, 101);
  assert.equal([...view.keys()].filter((name) => name.startsWith("big-")).length, 100);
  const submitted = [...view.values()].reduce((sum, totals) => sum + totals.submitted, 0);
  assert.equal(submitted, 3 * (5_000 + 100 * 50));
});

test("a tenant that was busy long ago gives its name to one that is busy now", () => {
  const figures = new TenantFigures();
  for (let i = 0; i < 100; i++) figures.add(`old-${i}`, "submitted", 1_000);
  for (let turn = 0; turn < 12; turn++) {
    figures.add("new", "submitted", 10);
    figures.turn();
  }
  assert.ok(figures.view().has("new"));
});

test("a series never shrinks or jumps when names change", () => {
  const figures = new TenantFigures();
  const seen = new Map<string, number>();
  for (let turn = 0; turn < 20; turn++) {
    for (let i = 0; i < 150; i++) figures.add(`t-${i}`, "submitted", (i * 7 + turn * 13) % 150);
    const before = figures.series().get("other")?.submitted ?? 0;
    figures.turn();
    assert.equal(figures.series().get("other")?.submitted ?? 0, before, "a change of names counts nothing");
    const now = new Map([...figures.series()].map(([tenant, { submitted }]) => [tenant, submitted]));
    for (const [tenant, submitted] of now) assert.ok(submitted >= (seen.get(tenant) ?? 0) || submitted === 0);
    seen.clear();
    for (const [tenant, submitted] of now) seen.set(tenant, submitted);
  }
});

test("memory is bounded with a million tenants", () => {
  const figures = new TenantFigures();
  for (let i = 0; i < 1_000_000; i++) figures.add(`t-${i}`, "submitted", 1);
  figures.turn();
  assert.equal(figures.view().size, 101);
  assert.equal(figures.view().get("other")?.submitted, 999_900);
});

test("a tenant called other is counted with the rest", () => {
  const figures = new TenantFigures();
  figures.add("other", "failed", 3);
  figures.turn();
  assert.deepEqual([...figures.view().keys()], ["other"]);
  assert.equal(figures.view().get("other")?.failed, 3);
});
