import assert from "node:assert/strict";
import { test } from "node:test";
import { fromField, toField } from "./range-fields.ts";

test("a time survives the way through a field, in both zones", () => {
  for (const isUtc of [true, false]) {
    const iso = "2026-11-18T02:30:00.000Z";
    assert.equal(fromField(toField(iso, isUtc), isUtc), iso);
  }
  assert.equal(toField("2026-11-18T02:30:59.000Z", true), "2026-11-18T02:30");
});

test("what is not a time is empty", () => {
  assert.equal(toField("", true), "");
  assert.equal(fromField("", true), undefined);
  assert.equal(fromField("2026-13-40T99:99", false), undefined);
});
