import assert from "node:assert/strict";
import { test } from "node:test";
import type { Attempt, Job } from "../../client/index.ts";
import { jobPage } from "./job.ts";

test("jobs show names the error of each attempt and what caused the last one", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const job = {
    jobId: "job_1",
    kind: "mail",
    status: "failed",
    state: "failed",
    createdAt: at,
    runAt: at,
    tags: [],
    tenant: "default",
    stage: "running",
  };
  const attempt: Attempt = {
    stage: "running",
    attempt: 1,
    startedAt: at,
    endedAt: at,
    outcome: "failed",
    failure: {
      code: "processor-failed",
      message: "outer",
      permanent: false,
      name: "RangeError",
      cause: {
        name: "Error",
        code: "E_INNER",
        message: "inner",
        errors: [{ name: "TypeError", message: "innermost" }],
      },
    },
  };
  const text = jobPage({ job: job as unknown as Job, steps: [], attempts: [attempt] }, Date.parse(at));
  assert.match(text, /RangeError: outer/);
  assert.match(text, /caused by\nError \(E_INNER\): inner\n {2}TypeError: innermost/);
});
