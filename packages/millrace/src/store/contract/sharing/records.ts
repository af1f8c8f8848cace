import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Store } from "../../store.ts";
import type { NewRecord, RecordVersion } from "../../verbs/records.ts";
import { HOUR_MS, type OpenData, promise, type Rig } from "../rig.ts";

const NAME = { space: "notes", tenant: "acme", key: "a" };
const VALUE = '{"text":"ä🙂"}';

export function describeRecords(open: OpenData): void {
  describe("records", () => {
    promise(open, "a record is found with its value, its version and the time of the write", async (rig) => {
      assert.equal(await rig.store.findRecord(NAME), undefined);
      const { version } = await put(rig.store, {});
      const other = await rig.another();
      assert.deepEqual(await other.findRecord(NAME), { key: "a", value: VALUE, version, updatedAt: rig.clock.now() });
      rig.clock.advance(5);
      const second = await put(rig.store, { value: "2" });
      assert.ok(second.version > version, "versions grow");
      assert.partialDeepStrictEqual(await other.findRecord(NAME), { value: "2", updatedAt: rig.clock.now() });
    });

    promise(open, "spaces and tenants do not see each other's records", async (rig) => {
      await put(rig.store, {});
      for (const other of [{ space: "other" }, { tenant: "other" }, { key: "A" }]) {
        assert.equal(await rig.store.findRecord({ ...NAME, ...other }), undefined);
        assert.equal(await rig.store.deleteRecord({ ...NAME, ...other }), false);
        await put(rig.store, { ...other, ifVersion: 0, value: "2" });
      }
      assert.equal((await rig.store.findRecord(NAME))?.value, VALUE);
      assert.deepEqual(await keys(rig, {}), ["A", "a"]);
    });

    promise(open, "a put with a version writes only over that version", async (rig) => {
      const { store } = rig;
      assert.deepEqual(await store.putRecord({ ...NAME, value: "1", ifVersion: 7 }), { conflict: 0 });
      const first = await put(store, { value: "1", ifVersion: 0 });
      assert.deepEqual(await store.putRecord({ ...NAME, value: "2", ifVersion: 0 }), { conflict: first.version });
      const second = await put(store, { value: "2", ifVersion: first.version });
      const stale = await store.putRecord({ ...NAME, value: "3", ifVersion: first.version });
      assert.deepEqual(stale, { conflict: second.version });
      assert.equal((await store.findRecord(NAME))?.value, "2");
    });

    promise(open, "of many puts with the same version one writes, and the others learn its version", async (rig) => {
      const others = await Promise.all([rig.another(), rig.another()]);
      for (const ifVersion of [0, (await put(rig.store, { key: "b" })).version]) {
        const key = ifVersion === 0 ? "a" : "b";
        const asked = [rig.store, ...others, rig.store].map((store, i) =>
          store.putRecord({ ...NAME, key, value: String(i), ifVersion }),
        );
        const answers = await Promise.all(asked);
        const written = answers.filter((answer) => "version" in answer) as RecordVersion[];
        const conflicts = answers.flatMap((answer) => ("conflict" in answer ? [answer.conflict] : []));
        assert.equal(written.length, 1);
        assert.deepEqual(conflicts, Array(3).fill(written[0]?.version));
      }
    });

    promise(open, "a delete with a version leaves another version alone", async (rig) => {
      const { store } = rig;
      assert.equal(await store.deleteRecord(NAME), false);
      assert.equal(await store.deleteRecord(NAME, 5), false);
      const { version } = await put(store, {});
      assert.deepEqual(await store.deleteRecord(NAME, version + 1), { conflict: version });
      assert.equal(await store.deleteRecord(NAME, version), true);
      assert.equal(await store.findRecord(NAME), undefined);
      await put(store, {});
      assert.equal(await store.deleteRecord(NAME), true);
    });

    promise(open, "a record that was deleted and created again has another version", async (rig) => {
      const { store } = rig;
      const { version } = await put(store, {});
      await store.deleteRecord(NAME);
      const again = await put(store, { ifVersion: 0 });
      assert.ok(again.version > version);
      assert.deepEqual(await store.putRecord({ ...NAME, value: "3", ifVersion: version }), { conflict: again.version });
    });

    promise(open, "an expired record counts as deleted in every verb", async (rig) => {
      const { store, clock } = rig;
      const { version, expiresAt } = await put(store, { expiresInMs: 1_000 });
      assert.equal(expiresAt, clock.now() + 1_000);
      clock.advance(999);
      assert.equal((await store.findRecord(NAME))?.expiresAt, expiresAt);
      assert.deepEqual(await keys(rig, {}), ["a"]);
      clock.advance(1);
      assert.equal(await store.findRecord(NAME), undefined);
      assert.deepEqual(await keys(rig, {}), []);
      assert.equal(await store.deleteRecord(NAME, version), false);
      assert.deepEqual(await store.putRecord({ ...NAME, value: "2", ifVersion: version }), { conflict: 0 });
      const again = await put(store, { value: "2", ifVersion: 0 });
      assert.equal(again.expiresAt, undefined, "a put without an expiry has none");
      clock.advance(HOUR_MS);
      assert.equal((await store.findRecord(NAME))?.value, "2");
    });

    promise(open, "a put can keep the moment at which the record expires", async (rig) => {
      const { expiresAt } = await put(rig.store, { expiresInMs: 1_000 });
      rig.clock.advance(600);
      const kept = await put(rig.store, { value: "2", expiresAt: expiresAt as number });
      assert.equal(kept.expiresAt, expiresAt);
      rig.clock.advance(400);
      assert.equal(await rig.store.findRecord(NAME), undefined);
    });

    promise(open, "prune deletes expired records in small batches and leaves all others", async (rig) => {
      const { store, clock } = rig;
      for (let i = 0; i < 3; i++) await put(store, { key: `short${i}`, expiresInMs: 1_000 + i });
      await put(store, { key: "long", expiresInMs: HOUR_MS });
      await put(store, { key: "for good" });
      assert.deepEqual(await store.prune({ limit: 2 }), { deleted: 0, more: false });
      clock.advance(2_000);
      assert.deepEqual(await store.prune({ limit: 2 }), { deleted: 2, more: true });
      assert.deepEqual(await store.prune({ limit: 2 }), { deleted: 1, more: false });
      assert.deepEqual(await keys(rig, {}), ["for good", "long"]);
    });

    promise(open, "a list is sorted by code points and goes on after a key", async (rig) => {
      // UTF-16 puts the emoji before U+FFFD; a locale puts "B" after "a".
      const sorted = ["B", "a", "a/", "a/1", "a/2", "a0", "b", "ä", "\ufffd", "🙂"];
      for (const key of sorted.toReversed()) await put(rig.store, { key });
      assert.deepEqual(await keys(rig, {}), sorted);
      assert.deepEqual(await keys(rig, { limit: 4 }), sorted.slice(0, 4));
      assert.deepEqual(await keys(rig, { after: "a/1" }), sorted.slice(4));
      assert.deepEqual(await keys(rig, { after: "a/11", limit: 1 }), ["a/2"], "also after a key that is gone");
      assert.deepEqual(await keys(rig, { after: "🙂" }), []);
    });

    promise(open, "a prefix selects the keys that start with it", async (rig) => {
      const all = ["_", "a%", "a/1", "a/2", "b", "x\ud7ff", "x\ud7ff1", "x\ue000", "\u{10ffff}", "\u{10ffff}1"];
      for (const key of all) await put(rig.store, { key });
      for (const prefix of ["", "a", "a/", "a%", "_", "x\ud7ff", "\u{10ffff}", "none"]) {
        assert.deepEqual(
          await keys(rig, { prefix }),
          all.filter((key) => key.startsWith(prefix)),
          `prefix ${JSON.stringify(prefix)}`,
        );
      }
      assert.deepEqual(await keys(rig, { prefix: "a/", after: "a/1" }), ["a/2"]);
      assert.deepEqual(await keys(rig, { prefix: "a/", after: "a" }), ["a/1", "a/2"]);
      assert.deepEqual(await keys(rig, { prefix: "a/", after: "b" }), []);
    });

    promise(open, "a backup contains the records, and their versions go on in it", async (rig) => {
      const { version } = await put(rig.store, { expiresInMs: HOUR_MS });
      const before = await rig.store.findRecord(NAME);
      const backup = rig.data.backup();
      await rig.store.backup(backup.path);
      const copy = await backup.open(rig.instanceOptions());
      try {
        assert.deepEqual(await copy.findRecord(NAME), before);
        assert.ok((await put(copy, { ifVersion: version })).version > version);
      } finally {
        await copy.close();
      }
    });
  });
}

async function put(store: Store, record: Partial<NewRecord>): Promise<RecordVersion> {
  const answer = await store.putRecord({ ...NAME, value: VALUE, ...record });
  assert.ok("version" in answer, JSON.stringify(answer));
  return answer;
}

async function keys(rig: Rig, filter: { prefix?: string; after?: string; limit?: number }): Promise<string[]> {
  const { space, tenant } = NAME;
  return (await rig.store.listRecords({ space, tenant, limit: 100, ...filter })).map(({ key }) => key);
}
