import assert from "node:assert/strict";
import { describe } from "node:test";
import type { ClaimedJob } from "../../../job/lease.ts";
import type { Store } from "../../store.ts";
import type { SharedArtifact } from "../../verbs/sharing.ts";
import { HOUR_MS, type OpenData, promise, type Rig } from "../rig.ts";

export function describeSharing(open: OpenData): void {
  describe("shared artifacts", () => {
    promise(
      open,
      "are kept under their key with all they were given, and found by a link of the tenant",
      async (rig) => {
        const job = await rig.running({ tenant: "acme" });
        const link = await shared(rig, job, art("k", "<svg/>"));
        assert.match(link, /^[0-9A-Za-z]{12}$/);
        assert.deepEqual(plain(await rig.store.shared("k")), plain(art("k", "<svg/>")));
        const { tenant, createdAt, ...artifact } =
          (await rig.store.linked(link)) ?? assert.fail("the link leads somewhere");
        assert.deepEqual({ tenant, createdAt }, { tenant: "acme", createdAt: rig.clock.now() });
        assert.deepEqual(plain(artifact), plain(art("k", "<svg/>")));
        assert.deepEqual(await rig.store.linkTo("acme", "k"), { link, info: '{"of":"k"}' });
        assert.equal(await rig.store.shared("other"), undefined);
        assert.equal(await rig.store.linked("AAAAAAAAAAAA"), undefined);
        assert.equal(await rig.store.linkTo("acme", "other"), undefined);
      },
    );

    promise(open, "never change their bytes: the first to share under a key is the one that counts", async (rig) => {
      const first = await shared(rig, await rig.running(), art("k", "first"));
      const second = await shared(rig, await rig.running(), art("k", "second, and longer"));
      assert.equal(second, first);
      assert.equal(textOf(await rig.store.linked(first)), "first");
    });

    promise(open, "each tenant has a link of its own to the same bytes", async (rig) => {
      const mine = await shared(rig, await rig.running({ tenant: "a" }), art("k", "same"));
      const theirs = await rig.store.linkTo("b", "k");
      assert.ok(theirs);
      assert.notEqual(theirs.link, mine);
      assert.equal(textOf(await rig.store.linked(theirs.link)), "same");
      assert.equal((await rig.store.linked(theirs.link))?.tenant, "b");
      assert.deepEqual(await rig.store.linkTo("b", "k"), theirs);
    });

    promise(open, "shared without a name they have no link until somebody asks for one", async (rig) => {
      const job = await rig.running();
      assert.deepEqual(await rig.store.share(job.lease, art("k", "x"), { named: false }), {});
      assert.equal(textOf(await rig.store.shared("k")), "x");
    });

    promise(open, "a stale lease shares nothing", async (rig) => {
      const job = await rig.running();
      await rig.store.cancel([job.lease.jobId], "x");
      assert.equal(await rig.store.share(job.lease, art("k", "x"), { named: true }), "lease-lost");
      assert.equal(await rig.store.shared("k"), undefined);
    });

    promise(open, "another process on the same data sees them", async (rig) => {
      const other = await rig.another();
      const link = await shared(rig, await rig.running(), art("k", "x"));
      assert.equal(textOf(await other.linked(link)), "x");
      assert.equal((await other.linkTo("default", "k"))?.link, link);
    });

    promise(
      open,
      "unread for too long they go with their links, unless a kept job names them",
      async (rig) => {
        const job = await rig.running();
        const link = await shared(rig, job, art("named", "x"));
        await rig.store.share(job.lease, art("free", "y"), { named: false });
        await rig.store.share(job.lease, art("read", "z"), { named: false });
        await rig.complete(job);
        rig.clock.advance(HOUR_MS / 2);
        await rig.store.markRead(["read", "never kept"]);
        rig.clock.advance(HOUR_MS / 2 - 1);
        assert.equal((await rig.store.prune({ limit: 9 })).deleted, 0);
        rig.clock.advance(1);
        // The job itself, then what was named by it no more and what was free.
        assert.deepEqual(await rig.store.prune({ limit: 9 }), { deleted: 3, more: false });
        assert.equal(await rig.store.linked(link), undefined);
        assert.deepEqual(await kept(rig.store, ["named", "free", "read"]), ["read"]);
        rig.clock.advance(HOUR_MS / 2);
        assert.equal((await rig.store.prune({ limit: 9 })).deleted, 1);
      },
      { limits: { sharedKeepMs: HOUR_MS } },
    );

    promise(
      open,
      "beyond their room the longest unread go first, but none that a kept job names",
      async (rig) => {
        const job = await rig.running();
        const link = await shared(rig, job, art("named", "0123456789"));
        for (const key of ["a", "b", "c"]) {
          rig.clock.advance(1);
          await rig.store.share(job.lease, art(key, "0123456789"), { named: false });
        }
        await rig.complete(job);
        assert.equal((await rig.store.prune({ limit: 9 })).deleted, 0);
        rig.clock.advance(1);
        await rig.store.markRead(["a"]);
        const last = await rig.running();
        await rig.store.share(last.lease, art("d", "01234"), { named: false });
        assert.deepEqual(await rig.store.prune({ limit: 9 }), { deleted: 1, more: false });
        assert.deepEqual(await kept(rig.store, ["named", "a", "b", "c", "d"]), ["named", "a", "c", "d"]);
        await rig.store.forget([job.lease.jobId]);
        await rig.store.share(last.lease, art("e", "0123456789"), { named: false });
        assert.deepEqual(await rig.store.prune({ limit: 1 }), { deleted: 1, more: true });
        assert.equal(await rig.store.linked(link), undefined);
        assert.deepEqual(await kept(rig.store, ["named", "a", "c", "d", "e"]), ["a", "c", "d", "e"]);
      },
      { limits: { sharedMaxBytes: 40 } },
    );

    promise(open, "what went and is made again has a new link", async (rig) => {
      const job = await rig.running();
      const old = await shared(rig, job, art("k", "old"));
      await rig.complete(job);
      await rig.store.forget([job.lease.jobId]);
      const strict = await rig.another({ limits: { sharedMaxBytes: 1 } });
      assert.equal((await strict.prune({ limit: 9 })).deleted, 1);
      const link = await shared(rig, await rig.running(), art("k", "new"));
      assert.notEqual(link, old);
      assert.equal(await rig.store.linked(old), undefined);
    });

    promise(open, "are in a backup", async (rig) => {
      const link = await shared(rig, await rig.running(), art("k", "x"));
      const { path, open: openCopy } = rig.data.backup();
      await rig.store.backup(path);
      const copy = await openCopy(rig.instanceOptions());
      try {
        assert.equal(textOf(await copy.linked(link)), "x");
      } finally {
        await copy.close();
      }
    });
  });
}

function art(key: string, text: string): SharedArtifact {
  return {
    key,
    contentType: "image/svg+xml",
    bytes: new TextEncoder().encode(text),
    info: JSON.stringify({ of: key }),
  };
}

async function shared(rig: Rig, job: ClaimedJob, artifact: SharedArtifact): Promise<string> {
  const answer = await rig.store.share(job.lease, artifact, { named: true });
  assert.ok(answer !== "lease-lost" && answer.link !== undefined);
  return answer.link;
}

/** Bytes come as whatever array the store's driver makes. */
function plain(artifact: SharedArtifact | undefined): unknown {
  return artifact && { ...artifact, bytes: textOf(artifact) };
}

function textOf(artifact: SharedArtifact | undefined): string | undefined {
  return artifact && new TextDecoder().decode(artifact.bytes);
}

async function kept(store: Store, keys: string[]): Promise<string[]> {
  const found = await Promise.all(keys.map((key) => store.shared(key)));
  return keys.filter((_, i) => found[i] !== undefined);
}
