import assert from "node:assert/strict";
import { test } from "node:test";
import { entryAt, matched } from "./match.ts";

test("an address belongs to the longest entry that it lies below", () => {
  const entries = [{ path: "/shop" }, { path: "/shop/orders" }, { path: "/shopping" }];
  const at = (path: string) => entryAt(entries, path)?.path;
  assert.deepEqual(["/shop", "/shop/1", "/shop/orders/1", "/shopping", "/shops", "/"].map(at), [
    "/shop",
    "/shop",
    "/shop/orders",
    "/shopping",
    undefined,
    undefined,
  ]);
});

test("parts in braces are given to the page by name", () => {
  assert.deepEqual(matched("/shop", "/shop"), {});
  assert.deepEqual(matched("/shop/{id}/{part}", "/shop/a%20b/c"), { id: "a b", part: "c" });
  assert.deepEqual(matched("/shop/{id}", "/shop/%zz"), { id: "%zz" });
  for (const other of ["/shop", "/shop/", "/shop/1/2", "/other/1"])
    assert.equal(matched("/shop/{id}", other), undefined);
});
