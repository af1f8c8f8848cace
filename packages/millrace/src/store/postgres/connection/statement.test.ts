import assert from "node:assert/strict";
import { test } from "node:test";
import { statement } from "./statement.ts";

test("named parameters become numbers in the order of their first use, and casts stay", () => {
  const find = statement<{ keys: string; stage: number }>(
    "SELECT :stage::int AS stage FROM job WHERE id = ANY(:keys::bigint[]) AND stage = :stage",
  );
  assert.deepEqual(find({ keys: "{1,2}", stage: 7 }), [
    "SELECT $1::int AS stage FROM job WHERE id = ANY($2::bigint[]) AND stage = $1",
    [7, "{1,2}"],
  ]);
});

test("every query of a statement has the same text, which is its name on the server", () => {
  const find = statement<{ id: number }>("SELECT 1 FROM job WHERE id = :id");
  assert.equal(find({ id: 1 })[0], find({ id: 2 })[0]);
});
