import assert from "node:assert/strict";
import { test } from "node:test";
import { keyInBasic, withoutKey } from "./draw-key.ts";

const KEY = `mr_0123456789ab_${"x".repeat(43)}`;

test("a key after the first part of the path is taken out of it", () => {
  assert.deepEqual(withoutKey(`/pictures/${KEY}/flow/svg/abc`), { path: "/pictures/flow/svg/abc", key: KEY });
  assert.deepEqual(withoutKey(`/pictures/${KEY}`), { path: "/pictures", key: KEY });
  for (const path of [
    `/pictures/flow/${KEY}`,
    `/${KEY}/pictures`,
    `/pictures/${KEY}x`,
    "/pictures/flow/svg/abc",
    `//${KEY}/a`,
  ])
    assert.deepEqual(withoutKey(path), { path });
});

test("HTTP Basic has the key as user or as password", () => {
  const basic = (text: string) =>
    keyInBasic(
      new Request("http://a/", { headers: { authorization: `Basic ${Buffer.from(text).toString("base64")}` } }),
    );
  for (const text of [`${KEY}:`, `user:${KEY}`, KEY]) assert.equal(basic(text), KEY);
  for (const text of ["user:password", ":", ""]) assert.equal(basic(text), "");
  assert.equal(keyInBasic(new Request("http://a/", { headers: { authorization: "Bearer x" } })), undefined);
  assert.equal(keyInBasic(new Request("http://a/")), undefined);
});
