import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { asCommand, asCurl, asTest } from "./copied.ts";

const JOB = {
  jobId: "job_4fQ81xZa",
  kind: "send-mail",
  payload: { to: "o'neil@example.com", note: '$HOME `x` "y"\nnext' },
  tenant: "acme",
  tags: ["it's"],
  priority: -5,
};

/** The arguments that a shell makes of it. */
function read(command: string): string[] {
  const script = `f() { for each in "$@"; do printf '%s\\0' "$each"; done; }; ${command.replace(/^\w+/, "f")}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

test("a shell reads the request and the command as they were meant, whatever the payload holds", () => {
  const curl = read(asCurl(JOB, "http://127.0.0.1:3000"));
  assert.deepEqual(curl.slice(0, 3), ["-X", "POST", "http://127.0.0.1:3000/jobs"]);
  assert.ok(curl.includes("x-tenant-id: acme"));
  const body = { kind: JOB.kind, payload: JOB.payload, tags: JOB.tags, priority: -5 };
  assert.deepEqual(JSON.parse(curl.at(-1) as string), body);
  const command = read(asCommand(JOB));
  assert.deepEqual(command.slice(0, 2), ["submit", "send-mail"]);
  assert.deepEqual(JSON.parse(command[2] as string), JOB.payload);
  assert.deepEqual(command.slice(3), ["--tag", "it's", "--priority", "-5", "--tenant", "acme"]);
});

test("defaults are left out", () => {
  const plain = { ...JOB, tenant: "default", tags: [], priority: 0 };
  assert.doesNotMatch(asCurl(plain, "http://h"), /tenant|tags|priority/);
  assert.doesNotMatch(asCommand(plain), /--/);
});

test("the test names the kind as a variable", () => {
  assert.match(asTest(JOB), /kit\.run\(sendMail, \{/);
});
