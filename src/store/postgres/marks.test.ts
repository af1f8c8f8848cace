import assert from "node:assert/strict";
import test from "node:test";
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

test("of many tenants the first hundred have marks: a claim compares every lane with every mark", () => {
  const marks = new Marks();
  marks.advance(
    1,
    Array.from({ length: 300 }, (_, tenant) => job(tenant, tenant)),
  );
  assert.equal(marks.of(1).length, 100);
  marks.advance(1, [job(900, 7), job(901, 200)]);
  assert.deepEqual(
    marks.of(1).filter(({ id }) => id >= 900),
    [job(900, 7)],
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
