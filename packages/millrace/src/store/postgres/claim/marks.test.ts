import assert from "node:assert/strict";
import { test } from "node:test";
import { Marks } from "./marks.ts";

const job = (id: number, tenant = 1) => ({ tenant, priority: 0, run_at: 1_000 + id, id });

test("a mark is the last job taken of each tenant, until a claim begins at the beginning", () => {
  const marks = new Marks();
  assert.deepEqual(marks.of(1), []);
  marks.advance(1, [job(1), job(2), job(7, 2)]);
  assert.deepEqual(marks.of(1), [job(2), job(7, 2)]);
  assert.deepEqual(marks.of(2), [], "each stage has its own");
  marks.forget(1);
  assert.deepEqual(marks.of(1), []);
});

test("of many tenants a thousand have marks, which travel with every claim in the order of their tenants", () => {
  const marks = new Marks();
  marks.advance(
    1,
    Array.from({ length: 3_000 }, (_, n) => job(n, 3_000 - n)),
  );
  const tenants = marks.of(1).map(({ tenant }) => tenant);
  assert.deepEqual(
    tenants,
    Array.from({ length: 1_000 }, (_, n) => 2_001 + n),
  );
  marks.advance(1, [job(9_000, 7), job(9_001, 2_500)]);
  assert.deepEqual(
    marks.of(1).filter(({ id }) => id >= 9_000),
    [job(9_001, 2_500)],
  );
});

test("only where the beginning is far do claims rest from it, for a second at most", () => {
  const marks = new Marks();
  assert.equal(marks.restMs(1), 0);
  marks.lookedThrough(1, 3, { jobs: 10, bundled: false });
  assert.equal(marks.restMs(1), 0, "quick");
  marks.lookedThrough(1, 25, { jobs: 250, bundled: false });
  assert.equal(marks.restMs(1), 0, "quick for so many");
  marks.lookedThrough(1, 25, { jobs: 1, bundled: false });
  assert.ok(marks.restMs(1) > 400 && marks.restMs(1) <= 500, "a twentieth of the time");
  marks.lookedThrough(1, 5_000, { jobs: 1, bundled: false });
  assert.ok(marks.restMs(1) > 900 && marks.restMs(1) <= 1_000);
});
