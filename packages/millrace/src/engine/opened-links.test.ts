// runtimes: bun

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { OpenedLink } from "../job/opened-link.ts";
import { OpenedLinks } from "./opened-links.ts";

const opened = (key: string, size = 10): OpenedLink => ({
  tenant: "default",
  key,
  contentType: "image/svg+xml",
  bytes: new Uint8Array(size),
  info: {},
  createdAt: new Date(0),
});

function links({ keepMs = 0, maxBytes = 100 } = {}) {
  let now = 0;
  const reads: string[] = [];
  const kept = new OpenedLinks({ clock: { now: () => now, monotonic: () => now }, keepMs, maxBytes });
  const read = async (link: string) => {
    reads.push(link);
    return link === "none" ? undefined : opened(link, link.startsWith("large") ? 50 : 10);
  };
  return { reads, get: (link: string) => kept.get(link, read), pass: (ms: number) => (now += ms) };
}

describe("a link that is asked for often", () => {
  test("is read from the store once, also by many at the same time", async () => {
    const { reads, get } = links();
    const answers = await Promise.all([get("a"), get("a"), get("b")]);
    assert.deepEqual(
      answers.map((each) => each?.key),
      ["a", "a", "b"],
    );
    assert.equal((await get("a"))?.key, "a");
    assert.deepEqual(reads, ["a", "b"]);
  });

  test("is read again after ten seconds, or after as long as the store keeps it", async () => {
    for (const { keepMs, freshMs } of [
      { keepMs: 0, freshMs: 10_000 },
      { keepMs: 500, freshMs: 500 },
    ]) {
      const { reads, get, pass } = links({ keepMs });
      await get("a");
      pass(freshMs - 1);
      await get("a");
      assert.equal(reads.length, 1);
      pass(1);
      await get("a");
      assert.equal(reads.length, 2);
    }
  });

  test("makes room for others when it is asked for least", async () => {
    const { reads, get } = links();
    for (let i = 0; i < 10; i++) await get(`l${i}`);
    await get("l0");
    await get("l10");
    await get("l0");
    assert.equal(reads.length, 11, "l1 went, not l0");
    await get("l1");
    assert.equal(reads.length, 12);
  });

  test("is not kept when it is large, nor when it leads nowhere", async () => {
    const { reads, get } = links();
    for (const link of ["large", "none"]) for (let i = 0; i < 2; i++) await get(link);
    assert.deepEqual(reads, ["large", "large", "none", "none"]);
  });
});
