import assert from "node:assert/strict";
import { test } from "node:test";
import { type Caller, lookingAt, sees } from "./caller.ts";

const caller = (allTenants: boolean): Caller => ({
  name: "somebody",
  tenant: "own",
  scopes: new Set(["read"]),
  allTenants,
  root: false,
});

test("a tenant named in a link is looked at by callers of all tenants alone", () => {
  assert.ok(sees(lookingAt(caller(true), "shop"), "shop"));
  assert.ok(!sees(lookingAt(caller(false), "shop"), "shop"), "a key sees its own tenant, whatever a link says");
  assert.ok(!sees(lookingAt(caller(false), "*"), "shop"));
  assert.ok(sees(lookingAt(caller(false), undefined), "own"));
});
