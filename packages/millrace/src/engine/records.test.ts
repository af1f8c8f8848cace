import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { z } from "zod";
import { AppError } from "../lib/app-error.ts";
import { Testkit, type TestkitOptions } from "../testing.ts";

describe("records", () => {
  test("get returns what put wrote, as JSON keeps it, with version and times", async (t) => {
    const { millrace, clock } = await kit(t);
    const notes = millrace.records<{ at: Date; tags: string[]; gone?: string | undefined }>("notes");
    assert.equal(await notes.get("a"), undefined);
    const { version } = await notes.put("a", { at: new Date(0), tags: ["x"], gone: undefined });
    assert.deepEqual(await notes.get("a"), {
      key: "a",
      value: { at: "1970-01-01T00:00:00.000Z", tags: ["x"] },
      version,
      updatedAt: new Date(clock.now()),
    });
    assert.equal(await notes.get("a", { tenant: "acme" }), undefined);
    assert.equal(await millrace.records("other").get("a"), undefined);
  });

  test("a conflict names the current version and the next step", async (t) => {
    const notes = (await kit(t)).millrace.records<string>("notes");
    const { version } = await notes.put("a", "1", { ifVersion: 0 });
    const conflict = async (work: Promise<unknown>) => {
      const error = await work.catch((each: unknown) => each);
      assert.ok(error instanceof AppError, String(error));
      assert.equal(error.code, "record-conflict");
      return [error.details["version"], error.message];
    };
    assert.deepEqual(await conflict(notes.put("a", "2", { ifVersion: 0 })), [
      version,
      `The record "a" in the space "notes" already exists, with version ${version}.`,
    ]);
    assert.deepEqual(await conflict(notes.put("a", "2", { ifVersion: version + 5 })), [
      version,
      `The record "a" in the space "notes" has version ${version}, not ${version + 5}.`,
    ]);
    assert.deepEqual(await conflict(notes.put("b", "2", { ifVersion: version })), [
      0,
      'The record "b" in the space "notes" does not exist.',
    ]);
    assert.equal((await conflict(notes.delete("a", { ifVersion: version + 5 })))[0], version);
    assert.equal(await notes.delete("a", { ifVersion: version }), true);
    assert.equal(await notes.delete("a", { ifVersion: version }), false);
  });

  test("updates that meet are all applied, each on the value of the one before", async (t) => {
    const counts = (await kit(t)).millrace.records<number>("counts");
    await Promise.all(Array.from({ length: 30 }, () => counts.update("a", (count = 0) => count + 1)));
    assert.equal((await counts.get("a"))?.value, 30);
  });

  test("an update gives up after twenty tries, and writes nothing where the function returns undefined", async (t) => {
    const counts = (await kit(t)).millrace.records<number>("counts");
    let tries = 0;
    const outrun = counts.update("a", async (count = 0) => {
      tries++;
      await counts.put("a", count + 100);
      return count + 1;
    });
    await assert.rejects(outrun, { code: "record-conflict" });
    assert.equal(tries, 20);
    const current = await counts.get("a");
    assert.equal(current?.value, 2_000);
    assert.deepEqual(await counts.update("a", () => undefined), current);
    assert.equal(await counts.update("none", () => undefined), undefined);
    assert.equal(await counts.get("none"), undefined);
  });

  test("a record expires on the kit's clock and is pruned by upkeep; an update keeps its expiry", async (t) => {
    const cleanups: unknown[] = [];
    const info = (event: string, about?: object) => void (event === "cleanup" && cleanups.push(about));
    const opened = await kit(t, { log: { debug() {}, info, warn() {}, error() {} } });
    const { millrace, clock } = opened;
    const counts = millrace.records<number>("counts");
    await counts.put("a", 1, { expiresInMs: 60_000 });
    await counts.put("b", 1, { expiresInMs: 60_000 });
    await opened.advance(30_000);
    const updated = await counts.update("a", (count = 0) => count + 1);
    assert.deepEqual(updated, { ...(await counts.get("a")) });
    assert.deepEqual(updated?.expiresAt, new Date(clock.now() + 30_000));
    await counts.update("b", (count = 0) => count + 1, { expiresInMs: 60_000 });
    await opened.advance(30_000);
    assert.deepEqual(
      (await counts.list()).records.map(({ key, value }) => [key, value]),
      [["b", 2]],
    );
    await opened.advance(3_600_000);
    assert.deepEqual(cleanups, [{ deleted: 2 }]);
  });

  test("list pages through all records of a prefix, and no page is empty", async (t) => {
    const notes = (await kit(t)).millrace.records<number>("notes");
    for (let i = 0; i < 6; i++) await notes.put(`mail/${i}`, i);
    await notes.put("other", 0);
    const pages: number[][] = [];
    for (let after: string | undefined; ; ) {
      const page = await notes.list({ prefix: "mail/", limit: 3, after });
      pages.push(page.records.map(({ value }) => value));
      if (page.next === undefined) break;
      after = page.next;
    }
    assert.deepEqual(pages, [
      [0, 1, 2],
      [3, 4, 5],
    ]);
    assert.equal((await notes.list()).records.length, 7);
    assert.equal((await notes.list({ prefix: "" })).records.length, 7);
  });

  test("the schema checks a value at put, and transforms it at get", async (t) => {
    const { millrace } = await kit(t);
    const schema = z.object({ at: z.coerce.date(), count: z.number().default(0) });
    const visits = millrace.records("visits", { schema });
    await visits.put("a", { at: new Date(0) });
    assert.deepEqual((await visits.get("a"))?.value, { at: new Date(0), count: 0 });
    const raw = millrace.records("visits");
    assert.deepEqual((await raw.get("a"))?.value, { at: "1970-01-01T00:00:00.000Z" }, "stored as given");
    await assert.rejects(visits.put("a", { at: new Date(0), count: "2" as never }), {
      code: "invalid-request",
      message: /^The value of the record "a" does not fit its schema at "count": /,
    });
    await raw.put("old", { at: 5, count: null });
    for (const read of [() => visits.get("old"), () => visits.list(), () => visits.update("old", () => undefined)]) {
      await assert.rejects(read, { code: "record-mismatch", message: /"old" in the space "visits".* at "count"/ });
    }
  });

  test("a mistake is refused with a sentence", async (t) => {
    const { millrace } = await kit(t);
    const notes = millrace.records<unknown>("notes");
    const refused: [work: () => unknown, code: string, message: RegExp][] = [
      [() => millrace.records("My Notes"), "invalid-request", /^Invalid space name "My Notes"/],
      [() => millrace.records("n".repeat(65)), "invalid-request", /^Invalid space name/],
      [() => millrace.records("a", { schema: {} as never }), "invalid-request", /must be a Standard Schema/],
      [() => millrace.records("a", { shema: z.string() } as never), "invalid-request", /Did you mean "schema"/],
      [() => notes.get(""), "invalid-request", /key of a record must be a string of 1 to 255/],
      [() => notes.get("k".repeat(256)), "invalid-request", /1 to 255/],
      [() => notes.put("nul\0", 1), "invalid-request", /1 to 255/],
      [() => notes.get("a", { tenant: "no tenant" }), "invalid-request", /Invalid tenant name/],
      [() => notes.put("a", undefined), "invalid-request", /value of the record "a" is missing/],
      [() => notes.put("a", { when: new Map() }), "invalid-request", /"when" is a Map/],
      [() => notes.put("a", "\0"), "invalid-request", /U\+0000/],
      [() => notes.put("a", "x".repeat(262_143)), "too-large", /262145 bytes of JSON; the limit is 262144/],
      [() => notes.put("a", 1, { ifVersion: -1 }), "invalid-request", /ifVersion must be a whole number from 0/],
      [() => notes.put("a", 1, { expiresInMs: 0 }), "invalid-request", /expiresInMs must be a whole number from 1/],
      [() => notes.put("a", 1, { ttl: 5 } as never), "invalid-request", /Unknown option "ttl"/],
      [() => notes.delete("a", { ifVersion: 0 }), "invalid-request", /ifVersion must be a whole number from 1/],
      [() => notes.list({ limit: 101 }), "invalid-request", /limit must be a whole number from 1 to 100/],
      [() => notes.list({ prefix: 5 as never }), "invalid-request", /prefix must be a string/],
      [() => notes.update("a", 5 as never), "invalid-request", /update\(\) needs a function/],
    ];
    for (const [work, code, message] of refused) await assert.rejects(async () => work(), { code, message });
    await notes.put("a", "x".repeat(262_142));
  });
});

async function kit(t: TestContext, options: TestkitOptions = {}): Promise<Testkit> {
  const opened = await Testkit.open(options);
  t.after(() => opened.stop());
  return opened;
}
