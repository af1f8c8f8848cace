import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { newIdSecret, publicIds } from "./public-id.ts";

const ids = publicIds("job_", newIdSecret());
const keys = fc.nat({ max: 62 ** 8 - 1 });

describe("public ids", () => {
  test("decoding gives back what was encoded, for every key", () => {
    fc.assert(
      fc.property(keys, (key) => ids.decode(ids.encode(key)) === key),
      { numRuns: 2_000 },
    );
  });

  test("every well-formed id is the id of exactly one key", () => {
    const letters = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
    const text = fc
      .array(fc.constantFrom(...letters), { minLength: 8, maxLength: 8 })
      .map((chars) => `job_${chars.join("")}`);
    fc.assert(
      fc.property(text, (id) => ids.encode(ids.decode(id) as number) === id),
      { numRuns: 2_000 },
    );
  });

  test("different keys have different ids, neighbours too", () => {
    const seen = new Set(Array.from({ length: 50_000 }, (_, key) => ids.encode(key)));
    assert.equal(seen.size, 50_000);
  });

  test("an id has the prefix and eight base62 characters", () => {
    fc.assert(fc.property(keys, (key) => /^job_[0-9A-Za-z]{8}$/.test(ids.encode(key))));
    for (const key of [0, 1, 62 ** 8 - 1]) assert.equal(ids.decode(ids.encode(key)), key);
  });

  test("another secret or another prefix gives other ids", () => {
    const other = publicIds("job_", newIdSecret());
    const same = Array.from({ length: 100 }, (_, key) => other.encode(key) === ids.encode(key)).filter(Boolean);
    assert.equal(same.length, 0);
    assert.equal(publicIds("sch_", newIdSecret()).decode(ids.encode(1)), undefined);
  });

  test("each character of the id takes many values over neighbouring keys", () => {
    const encoded = Array.from({ length: 500 }, (_, key) => ids.encode(1_000 + key).slice(4));
    for (let place = 0; place < 8; place++)
      assert.ok(new Set(encoded.map((id) => id[place])).size > 40, `place ${place}`);
  });

  test("what is no id decodes to nothing", () => {
    for (const text of [
      "",
      "job_",
      "job_1234567",
      "job_123456789",
      "job_1234567!",
      "JOB_12345678",
      "12345678",
      "job_1234567ä",
    ]) {
      assert.equal(ids.decode(text), undefined, text);
    }
  });
});
