import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { causeOf, causesWith, fingerprintOf, patternOf } from "./cause.ts";
import { type DeadLetterCause, pageOfCauses } from "./cause-page.ts";

const PATTERNS: readonly (readonly [message: string, pattern: string])[] = [
  ["Order ORD-20931: no stock left", "Order <id>: no stock left"],
  ["550 5.1.1 <ann.b+x@mail.example.com>: user unknown", "<n> <n> <<email>>: user unknown"],
  ["Key (id)=(4711) already exists.", "Key (id)=(<value>) already exists."],
  ["Key (id, tenant)=(4711, acme) already exists.", "Key (id, tenant)=(<value>) already exists."],
  ['invalid input syntax for type uuid: "12"', "invalid input syntax for type uuid: <value>"],
  ["Cannot read properties of undefined (reading 'total')", "Cannot read properties of undefined (reading <value>)"],
  ["It isn't there and it doesn't answer", "It isn't there and it doesn't answer"],
  ["connect ECONNREFUSED 10.0.3.17:5432", "connect ECONNREFUSED <address>"],
  ["connect ECONNREFUSED [::1]:5432", "connect ECONNREFUSED <address>"],
  ["getaddrinfo ENOTFOUND db.internal", "getaddrinfo ENOTFOUND db.internal"],
  ["GET https://api.example.com/v1/orders/17?x=1 answered 503", "GET <url> answered <n>"],
  ["ENOENT: no such file, open /var/data/17/in.csv", "ENOENT: no such file, open <path>"],
  ["cannot open C:\\data\\in.csv", "cannot open <path>"],
  ["Timed out after 10000 ms", "Timed out after <n> ms"],
  ["Timed out after 250ms", "Timed out after <id>"],
  ["job_4fQ81xZa is gone since 2026-11-16T10:59:02.123Z", "<id> is gone since <time>"],
  ["user 3f2504e0-4f89-11d3-9a0c-0305e82c3301 has no card", "user <id> has no card"],
  ["pages 2-3 of 10 at 10:59:02", "pages <n>-<n> of <n> at <time>"],
  ["Line 1\n  Line 2", "Line <n> Line <n>"],
  ["either/or and n/a stay", "either/or and n/a stay"],
  ["", ""],
];

describe("the pattern of a message", () => {
  for (const [message, pattern] of PATTERNS) {
    test(`"${message.replace("\n", " ")}" becomes "${pattern}"`, () => assert.equal(patternOf(message), pattern));
  }

  test("is its own pattern", () => {
    for (const [, pattern] of PATTERNS) assert.equal(patternOf(pattern), pattern);
  });

  test("is found in time that grows with the message, whatever a processor writes", () => {
    const hostile = ['"', "'", "`", "=(", "a-", "1.", "::", "/a", "a@", "<", "(", "http://", "0-0-0-", "9"];
    const timeOf = (message: string) => {
      const startedAt = performance.now();
      patternOf(message);
      return performance.now() - startedAt;
    };
    timeOf("warm up 1");
    // A quadratic expression would take seconds on 100,000 characters; these take a few milliseconds, and are cut to 1,000.
    for (const part of hostile) assert.ok(timeOf(part.repeat(100_000)) < 1_000, part);
  });
});

describe("the cause of a failure", () => {
  const failed = { kind: "mail", stage: "send", code: "processor-failed", message: "Order 1: no stock" };

  test("has the same fingerprint for messages with the same pattern, and another variant", () => {
    const [a, b] = [causeOf(failed), causeOf({ ...failed, message: "Order 2: no stock" })];
    assert.equal(fingerprintOf(a), fingerprintOf(b));
    assert.notEqual(a, b);
    assert.match(a, /^1-[0-9a-f]{16}-[0-9a-f]{8}$/);
  });

  test("differs between kinds, stages and codes", () => {
    const others = [{ kind: "post" }, { stage: "pack" }, { code: "timed-out" }, { message: "No stock" }];
    const all = [failed, ...others.map((other) => ({ ...failed, ...other }))];
    assert.equal(new Set(all.map((each) => fingerprintOf(causeOf(each)))).size, all.length);
  });

  test("is between the bounds of its fingerprint, and other causes are not", () => {
    const cause = causeOf(failed);
    const bounds = causesWith(fingerprintOf(cause));
    assert.ok(bounds && cause >= bounds.from && cause < bounds.to);
    const other = causeOf({ ...failed, kind: "post" });
    assert.ok(other < bounds.from || other >= bounds.to);
    for (const wrong of ["", "1", "1-xyz", cause, `${fingerprintOf(cause)}0`]) {
      assert.equal(causesWith(wrong), undefined, wrong);
    }
  });
});

describe("a page of causes", () => {
  const cause = (n: number, rest: Partial<DeadLetterCause> = {}): DeadLetterCause => ({
    fingerprint: `1-${String(n).padStart(16, "0")}`,
    pattern: `Fault ${"abc"[n % 3]}`,
    kind: n % 2 ? "mail" : "post",
    stage: "send",
    code: "processor-failed",
    count: n,
    variants: 1,
    firstAt: 1_000 - n,
    lastAt: 1_000 + (n % 4),
    sample: "job_00000000",
    message: `Fault ${n}`,
    ...rest,
  });
  const all = Array.from({ length: 10 }, (_, i) => cause(i + 1));

  test("says how many causes and dead letters there are, and pages reach all of them once", () => {
    for (const sort of ["count", "last", "first", "kind"] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = pageOfCauses(all, { sort, limit: 3, ...(cursor !== undefined && { cursor }) });
        assert.deepEqual([page.groupCount, page.total], [10, 55]);
        seen.push(...page.causes.map(({ fingerprint }) => fingerprint));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      assert.deepEqual(seen.toSorted(), all.map(({ fingerprint }) => fingerprint).toSorted(), sort);
    }
  });

  test("goes on after the last cause of the page before, also when new causes have come in front of it", () => {
    const first = pageOfCauses(all, { limit: 3 });
    const more = [...all, cause(11, { count: 99 })];
    const second = pageOfCauses(more, { limit: 3, cursor: first.nextCursor as string });
    assert.deepEqual(
      second.causes.map(({ count }) => count),
      [7, 6, 5],
    );
  });

  test("is sorted and searched", () => {
    assert.equal(pageOfCauses(all, {}).causes[0]?.count, 10);
    assert.equal(pageOfCauses(all, { sort: "first" }).causes[0]?.count, 10);
    assert.equal(pageOfCauses(all, { sort: "last" }).causes[0]?.count, 3);
    assert.equal(pageOfCauses(all, { sort: "kind" }).causes[0]?.kind, "mail");
    assert.equal(pageOfCauses(all, { search: "FAULT 10" }).groupCount, 1);
    assert.equal(pageOfCauses(all, { search: "post/send" }).groupCount, 5);
    assert.equal(pageOfCauses(all, { search: "nowhere" }).total, 0);
  });

  test("refuses a cursor that it did not make", () => {
    for (const cursor of ["x", "1", "1~", "-1~1-0", "1~<script>"]) {
      assert.throws(() => pageOfCauses(all, { cursor }), /Invalid cursor/, cursor);
    }
  });
});
