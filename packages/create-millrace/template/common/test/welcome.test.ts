import assert from "node:assert/strict";
import { test } from "node:test";
import { Testkit } from "millrace/testing";
import { digest, welcome } from "../src/contracts.ts";
import { createKinds } from "../src/kinds.ts";
import type { Mail } from "../src/mail.ts";

test("a new user gets one welcome mail, even if the mail provider fails at first", async () => {
  const sent: Mail[] = [];
  let calls = 0;
  const kinds = createKinds(async (mail) => {
    calls += 1;
    if (calls === 1) throw new Error("The mail provider does not answer.");
    sent.push(mail);
    return `message-${calls}`;
  });
  const kit = await Testkit.open({ kinds });
  try {
    // The retry waits on the kit's own clock, so this takes no real time.
    const result = await kit.run(welcome, { name: "Ada", email: "ada@example.com" });
    assert.deepEqual(result, { messageId: "message-2" });
    assert.deepEqual(
      sent.map(({ to, subject }) => `${to}: ${subject}`),
      ["ada@example.com: Welcome, Ada!"],
    );
  } finally {
    await kit.stop();
  }
});

test("the schedule sends a mail every morning", async () => {
  const sent: Mail[] = [];
  const kit = await Testkit.open({
    kinds: createKinds(async (mail) => `message-${sent.push(mail)}`),
    startAt: new Date("2026-01-05T00:00:00Z"),
  });
  try {
    const payload = { to: "team@example.com" };
    await kit.millrace.schedules.put(digest, { name: "morning-digest", cron: "0 8 * * *", payload });
    await kit.advance(2 * 24 * 60 * 60 * 1000);
    assert.equal(sent.length, 2);
  } finally {
    await kit.stop();
  }
});
