import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const contextFile = fileURLToPath(new URL("./context.ts", import.meta.url));

test("the lease key of another process is another, even where a power cut made a token be given out twice", () => {
  const job = { lease: { jobId: "job_00000000", token: 7, slot: 0 }, tenant: "default", attempt: 1, tags: [] };
  const script = `import { JobContext } from ${JSON.stringify(contextFile)};
    const names = { kind: "k", stage: "s" };
    const keys = [0, 1].map(() => new JobContext(${JSON.stringify(job)}, names, null, {}).leaseKey);
    console.log(JSON.stringify(keys));`;
  const keysOf = () => {
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    assert.notEqual(stdout, "", stderr);
    return JSON.parse(stdout) as [string, string];
  };
  const [first, same] = keysOf();
  const [other] = keysOf();
  assert.match(first, /^job_00000000\.7\.[0-9a-f]{8}$/);
  assert.equal(first, same, "within a process it is the token that tells attempts apart");
  assert.notEqual(first, other);
});
