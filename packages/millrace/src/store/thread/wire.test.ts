import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewJob, Submission, SubmitAnswer } from "../verbs/submission.ts";
import { type PackedCalls, packCall, packReplies, unpackCalls, unpackReply } from "./wire.ts";

test("jobs that say as much, but not the same, arrive as they were sent", () => {
  const other = { kind: "mail", payload: "1", priority: 5 };
  const jobs = [{ kind: "mail", payload: "1", delayMs: undefined }, ...Array.from({ length: 9 }, () => other)];
  const packed: PackedCalls = [];
  packCall(packed, 1, "submit", [[{ tenant: "default", jobs: jobs as NewJob[] }]]);
  assert.deepEqual(unpackCalls(packed).calls, [{ verb: "submit", args: [[{ tenant: "default", jobs }]] }]);
});

test("a submission of one job arrives as it was sent, whatever it has beside its payload", () => {
  const plain: NewJob = { kind: "mail", payload: '{"text":"two words\\nand a line"}' };
  const submissions: Submission[][] = [
    [{ tenant: "default", jobs: [plain] }],
    [{ tenant: "default", jobs: [{ ...plain, payload: '""' }] }],
    [{ tenant: "default", jobs: [{ ...plain, priority: 5 }] }],
    [{ tenant: "default", jobs: [{ ...plain, uniqueKey: "a key" }] }],
    [{ tenant: "default", jobs: [plain], idempotency: { key: "a key", fingerprint: "f" } }],
    [{ tenant: "default", jobs: [plain, plain] }],
    [{ tenant: "default", jobs: [] }],
    [
      { tenant: "a", jobs: [plain] },
      { tenant: "b", jobs: [plain] },
    ],
    [],
  ];
  const packed: PackedCalls = [];
  for (const [i, each] of submissions.entries()) packCall(packed, i, "submit", [each]);
  const { calls } = unpackCalls(structuredClone(packed));
  assert.deepEqual(
    calls,
    submissions.map((each) => ({ verb: "submit", args: [each] })),
  );
});

test("the answer to a submission arrives as it was given", () => {
  const at = 1_700_000_000_000;
  const answers: SubmitAnswer[][] = [
    [{ type: "accepted", jobIds: ["job_1"], at }],
    [{ type: "accepted", jobIds: ["job_1"], at, joined: [0] }],
    [{ type: "accepted", jobIds: ["job_1"], at, completed: [0] }],
    [{ type: "accepted", jobIds: ["job_1"], at, plans: { mail: ["running"] } }],
    [{ type: "accepted", jobIds: ["job_1", "job_2"], at }],
    [{ type: "accepted", jobIds: [], at }],
    [{ type: "replayed", jobIds: ["job_1"], at }],
    [{ type: "refused", code: "backpressure", message: "The queue is full." }],
    [
      { type: "accepted", jobIds: ["job_1"], at },
      { type: "accepted", jobIds: ["job_2"], at },
    ],
    [],
  ];
  const calls = answers.map(() => ({ verb: "submit" as const, args: [] }));
  const replies = answers.map((ok) => ({ ok }));
  const packed = packReplies([...answers.keys()], calls, replies);
  const arrived = structuredClone(packed).filter((_, i) => i % 2 === 1);
  assert.deepEqual(arrived.map(unpackReply), replies);
});
