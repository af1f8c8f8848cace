import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Testkit } from "../../testing.ts";
import { textKind } from "./kind.ts";

describe("the text kind", () => {
  test("it returns what it did", async () => {
    await withText(async (kit, text) => {
      const result = (await kit.run(text, { text: "hello" })) as Record<string, unknown>;
      assert.equal(result["text"], "hello");
      assert.equal(result["characters"], 5);
      assert.equal(result["upperCase"], "HELLO");
    });
  });

  test("it takes as long as the text has characters, thirty at most", async () => {
    await withText(async (kit, text) => {
      const result = (await kit.run(text, { text: "x".repeat(30) })) as { characters: number };
      assert.equal(result.characters, 30);
    });
  });

  test("any JSON is accepted; what is wrong fails as it runs, is retried and becomes a dead letter", async () => {
    const wrong: [unknown, string][] = [
      [{ text: "x".repeat(31) }, "Text length exceeds maximum (31 > 30 characters)"],
      [{ text: "" }, "Text is empty"],
      [{ text: "this is forbidden" }, 'Text contains "forbidden"'],
      [{ text: "fail" }, 'The text "fail" fails every time.'],
      [{ words: "x" }, 'The payload must be an object with a "text".'],
      [{ text: 5 }, 'The payload must be an object with a "text".'],
      ["text", 'The payload must be an object with a "text".'],
      [null, 'The payload must be an object with a "text".'],
      [[1, 2], 'The payload must be an object with a "text".'],
    ];
    await withText(async (kit, text) => {
      for (const [payload, message] of wrong) {
        const job = await kit.millrace.submit(text, payload);
        await assert.rejects(kit.finish(job), { message });
        const view = await job.view();
        assert.equal(view?.state, "failed", "a dead letter");
        assert.equal(view?.retries, 3, "tried three times");
        assert.equal(view?.error, message);
        assert.equal(view?.failure?.permanent, false);
      }
      assert.equal(await kit.millrace.count({ standings: ["failed"] }), wrong.length);
    });
  });

  test('the text "fail" fails at once, however long its characters would take', async () => {
    const text = textKind({ msPerChar: 60_000 });
    const kit = await Testkit.open({ kinds: [text] });
    try {
      await assert.rejects(kit.run(text, { text: "fail" }), { message: 'The text "fail" fails every time.' });
    } finally {
      await kit.stop();
    }
  });

  test("a dead letter can be revived with a better text", async () => {
    await withText(async (kit, text) => {
      const job = await kit.millrace.submit(text, { text: "fail" });
      await assert.rejects(kit.finish(job));
      const revived = await kit.millrace.revive(job.id, { payload: { text: "works" } });
      assert.equal(((await kit.finish(revived)) as { upperCase: string }).upperCase, "WORKS");
      assert.equal((await job.view())?.retriedAs, revived.id);
    });
  });

  test("it is called running while it runs, reports progress and can be cancelled", async () => {
    const text = textKind({ msPerChar: 60_000 });
    const kit = await Testkit.open({ kinds: [text] });
    try {
      const job = await kit.millrace.submit(text, { text: "slow" });
      const drained = kit.runUntilIdle();
      let view = await job.view();
      while (view?.state !== "running") view = await job.view();
      assert.equal(view.status, "running");
      await job.cancel("enough");
      await drained;
      await assert.rejects(job.wait(), { code: "job-cancelled", message: /enough/ });
    } finally {
      await kit.stop();
    }
  });
});

async function withText(body: (kit: Testkit, text: ReturnType<typeof textKind>) => Promise<void>): Promise<void> {
  const text = textKind({ msPerChar: 0 });
  const kit = await Testkit.open({ kinds: [text] });
  try {
    await body(kit, text);
  } finally {
    await kit.stop();
  }
}
