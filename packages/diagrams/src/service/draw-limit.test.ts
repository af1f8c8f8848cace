import assert from "node:assert/strict";
import { test } from "node:test";
import { DrawLimit } from "./draw-limit.ts";

test("a key that may only draw is limited by the minute, and others are not", () => {
  let now = 0;
  const limit = new DrawLimit(2, () => now);
  const key = (name: string, ...scopes: string[]) => ({ name, scopes: new Set(scopes) as never, root: false });
  limit.count(key("a", "draw"));
  limit.count(key("a", "draw"));
  now = 20_000;
  assert.throws(() => limit.count(key("a", "draw")), {
    code: "rate-limited",
    details: { limit: "rate", retryAfterMs: 40_000 },
  });
  limit.count(key("b", "draw"));
  for (let times = 0; times < 5; times++) limit.count(key("c", "submit"));
  now = 60_000;
  limit.count(key("a", "draw"));
});
