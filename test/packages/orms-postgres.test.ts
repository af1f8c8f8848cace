// runtimes: both
// time-limit: 600 s
// packages only
// The transactions of Prisma and TypeORM, which have a lockfile of their own. `npm test` covers the other libraries.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { defineKind, type Millrace, sqlite } from "millrace";
import { outbox } from "millrace/outbox";
import { z } from "zod";
import { oncePerRun } from "../support/packed.ts";
import { removeDatabasesAfterwards } from "../support/postgres.ts";
import { engineRoot, root, run } from "../support/program.ts";
import { until } from "../support/until.ts";
import { charge } from "../transactions/support/kinds.ts";
import { openShop, type Shop } from "../transactions/support/shop.ts";
import { type Library, SEAT } from "./fixtures/orms/library.ts";
import { npmSettings, pathWithRuntimes, runtimePath } from "./support/new-project.ts";

removeDatabasesAfterwards();

const execute = promisify(execFile);
const TIMEOUT_MS = 300_000;
const FIXTURE = join(root, "test/packages/fixtures/orms");
// A negative order has a unique key. With an idempotency key too, every statement of a submission runs.
const keyed = (id: number) => ({ idempotencyKey: `k${id}`, tags: ['with "quotes" and \\'] });

/** The folder in which the libraries are installed, beside the programs of the fixture. */
function project(): Promise<string> {
  return oncePerRun("orms", async (folder) => {
    cpSync(FIXTURE, folder, { recursive: true });
    const env = { ...process.env, ...npmSettings(), PATH: pathWithRuntimes() };
    const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await execute("npm", ["ci", ...flags], { cwd: folder, env });
    // For its types alone: the programs import nothing else of it.
    symlinkSync(engineRoot, join(folder, "node_modules/millrace"));
  });
}

type Open = (url: string, millrace: Millrace) => Library | Promise<Library>;

async function openLibrary(t: TestContext, { file, name }: { file: string; name: string }, shop: Shop) {
  const programs: Record<string, Open> = await import(pathToFileURL(join(await project(), file)).href);
  const library = await (programs[name] as Open)(shop.url, shop.millrace);
  t.after(() => library.close());
  return library;
}

const PROGRAMS = [
  { title: "Prisma", file: "prisma.ts", name: "openPrisma" },
  { title: "TypeORM", file: "typeorm.ts", name: "openTypeorm" },
  { title: "a query runner of TypeORM", file: "typeorm.ts", name: "openQueryRunner" },
];

for (const { title, ...program } of PROGRAMS) {
  describe(`a job submitted in a transaction of ${title}`, { timeout: TIMEOUT_MS }, () => {
    test("exists if and only if the transaction commits", async (t) => {
      const shop = await openShop(t);
      const { millrace, orders } = shop;
      const library = await openLibrary(t, program, shop);
      const kept = await library.within(async (insertOrder, jobs) => {
        await insertOrder(1);
        const receipt = await jobs.submit(charge, { order: -1 }, keyed(1));
        assert.equal(await millrace.find(receipt.id), undefined, "not before the commit");
        return receipt;
      });
      assert.deepEqual({ ...kept, id: typeof kept.id }, { id: "string", accepted: "new", replayed: false });
      let dropped = "";
      const failing = library.within(async (insertOrder, jobs) => {
        await insertOrder(2);
        dropped = (await jobs.submit(charge, { order: -2 }, keyed(2))).id;
        throw new Error("back");
      });
      await assert.rejects(failing, /back/);

      assert.deepEqual(await millrace.job(kept.id).wait(), { charged: -1 });
      assert.deepEqual((await millrace.find(kept.id))?.tags, keyed(1).tags);
      assert.notEqual(dropped, "");
      assert.equal(await millrace.find(dropped), undefined);
      assert.equal(await millrace.count(), 1);
      assert.deepEqual(await orders(), [1]);
    });

    test("is committed or rolled back by millrace.transaction()", async (t) => {
      const shop = await openShop(t);
      const { millrace, orders } = shop;
      const library = await openLibrary(t, program, shop);
      const ids = await library.transaction(async (insertOrder, jobs) => {
        await insertOrder(1);
        const receipts = await jobs.submitMany(charge, [{ order: 1 }, { order: 2 }]);
        return receipts.map(({ id }) => id);
      });
      assert.deepEqual(await Promise.all(ids.map((id) => millrace.job(id).wait())), [{ charged: 1 }, { charged: 2 }]);
      const failing = library.transaction(async (insertOrder, jobs) => {
        await insertOrder(2);
        await jobs.submit(charge, { order: 3 });
        throw new Error("back");
      });
      await assert.rejects(failing, /back/);
      assert.equal(await millrace.count(), 2);
      assert.deepEqual(await orders(), [1]);
    });

    test("leaves the transaction usable when it is refused", async (t) => {
      const shop = await openShop(t, { work: false });
      const { millrace, orders } = shop;
      const library = await openLibrary(t, program, shop);
      const first = await millrace.submit(charge, { order: -1 });
      const { id } = await library.within(async (insertOrder, jobs) => {
        await assert.rejects(jobs.submit(charge, { order: -1 }), { code: "already-queued" });
        await assert.rejects(jobs.submit(charge, { order: "x" as never }), { code: "invalid-request" });
        await insertOrder(1);
        return jobs.submit(charge, { order: -2 });
      });
      assert.notEqual(id, first.id);
      assert.equal((await millrace.find(id))?.status, "pending");
      assert.equal(await millrace.count(), 2);
      assert.deepEqual(await orders(), [1]);
    });

    test("is refused on another database, and the transaction stays usable", async (t) => {
      const shop = await openShop(t, { work: false });
      const elsewhere = await openShop(t, { work: false });
      const library = await openLibrary(t, program, { ...elsewhere, millrace: shop.millrace });
      await library.within(async (insertOrder, jobs) => {
        // The other database has a store of its own, with another identity.
        await assert.rejects(jobs.submit(charge, { order: 1 }), {
          code: "transaction-unusable",
          message: /another database/,
        });
        await insertOrder(1);
      });
      assert.deepEqual(await elsewhere.orders(), [1]);
      assert.deepEqual([await shop.millrace.count(), await elsewhere.millrace.count()], [0, 0]);
    });

    test("throws a conflict of PostgreSQL as one that says to run the transaction again", async (t) => {
      const shop = await openShop(t, { work: false });
      const { millrace, orders } = shop;
      const library = await openLibrary(t, program, shop);
      const failing = library.repeatableRead(async (insertOrder, jobs) => {
        await insertOrder(1);
        // Committed after the snapshot, so the transaction neither sees it nor waits for it.
        await millrace.submit(charge, { order: -1 });
        await jobs.submit(charge, { order: -1 });
      });
      await assert.rejects(failing, {
        code: "transaction-conflict",
        details: { retryable: true, sqlState: "23505" },
      });
      assert.equal(await millrace.count(), 1);
      assert.deepEqual(await orders(), []);
    });
  });
}

for (const { title, ...program } of PROGRAMS) {
  describe(`the steps of a processor that uses ${title}`, { timeout: TIMEOUT_MS }, () => {
    test("are stored in its own transactions, and undone when the job fails", async (t) => {
      const made: { library?: Library } = {};
      const undone: unknown[] = [];
      const book = defineKind({
        name: "book",
        payload: z.object({ order: z.number(), complete: z.boolean() }),
        retry: { baseMs: 1 },
        undo: { unbook: (_ctx: unknown, seat: unknown) => undone.push(seat) },
        run: async (ctx, { order, complete }) => {
          const library = made.library as Library;
          const reserve = () =>
            library.inTransaction(async (insertOrder, tx) => {
              await insertOrder(order + 1);
              await ctx.step("reserve", () => SEAT, { tx });
            });
          // The second attempt rolls back, because the order is there. Its step is there too.
          await reserve().catch(() => {});
          await library.book(ctx as never, order, { complete, undo: "unbook" as never });
          throw new Error(`attempt ${ctx.attempt}`);
        },
      });
      const shop = await openShop(t, { kinds: [book] });
      const { millrace, orders } = shop;
      made.library = await openLibrary(t, program, shop);
      const completed = await millrace.submit(book, { order: 1, complete: true });
      assert.deepEqual(await completed.wait(), SEAT);
      const failed = await millrace.submit(book, { order: 11, complete: false }, { maxAttempts: 2 });
      await assert.rejects(failed.wait(), /attempt 2/);
      assert.deepEqual(undone, [SEAT]);
      for (const { id } of [completed, failed]) {
        const stored = (await millrace.steps(id)).map((step) => [step.name, JSON.parse(step.value)]);
        assert.deepEqual(stored.slice(0, 2), [
          ["reserve", SEAT],
          ["book", SEAT],
        ]);
      }
      assert.deepEqual(await orders(), [1, 2, 11, 12]);
    });
  });

  describe(`an outbox in a database of ${title}`, { timeout: TIMEOUT_MS }, () => {
    test("has a job for each row that is committed, and no other", async (t) => {
      const shop = await openShop(t, { work: false });
      const library = await openLibrary(t, program, shop);
      const database = outbox.postgres(library.source as never, { pollMs: 20 });
      await database.init();
      const order = (id: number, { fails }: { fails: boolean }) =>
        library.inTransaction(async (insertOrder, tx) => {
          await insertOrder(id);
          await outbox.within(tx).submit(charge, { order: id }, { tags: ['with "quotes" and \\'] });
          if (fails) throw new Error("back");
        });
      await order(1, { fails: false });
      await assert.rejects(order(2, { fails: true }), /back/);
      const folder = mkdtempSync(join(tmpdir(), "millrace-orms-"));
      t.after(() => rmSync(folder, { recursive: true, force: true }));
      const relay = await shop.open({ store: sqlite(join(folder, "jobs.db")), outboxes: [database] });
      await until("the job has completed", async () => (await relay.count({ status: "completed" })) === 1);
      const [job] = await relay.list();
      assert.deepEqual([job?.result, job?.tags], [{ charged: 1 }, ['with "quotes" and \\']]);
      assert.deepEqual(await shop.orders(), [1]);
    });
  });
}

test("the transactions of Prisma and TypeORM have their types", { timeout: TIMEOUT_MS }, async (t) => {
  const folder = await project();
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { typeRoots: [join(root, "node_modules/@types")] },
    include: [],
    files: ["prisma.ts", "typeorm.ts"],
  };
  writeFileSync(join(folder, `tsconfig.${process.pid}.json`), JSON.stringify(config));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const program = run(t, [runtimePath("node"), tsc, "-p", `tsconfig.${process.pid}.json`], { cwd: folder });
  assert.deepEqual(await program.ended(), { code: 0, signal: null }, program.stdout() + program.stderr());
});
