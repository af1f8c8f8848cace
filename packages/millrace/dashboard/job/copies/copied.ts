// A job as text that submits the same work again. Pure, so that tests need no browser.

import type { Job } from "../../../src/client/index.ts";

type CopiedJob = Pick<Job, "jobId" | "kind" | "payload" | "tenant" | "tags" | "priority">;

/** A request, as a shell takes it. */
export function asCurl({ kind, payload, tenant, tags, priority }: CopiedJob, origin: string): string {
  const body = { kind, payload, ...(tags.length > 0 && { tags }), ...(priority !== 0 && { priority }) };
  return [
    `curl -X POST ${quoted(`${origin}/jobs`)}`,
    "-H 'content-type: application/json'",
    ...(tenant === "default" ? [] : [`-H ${quoted(`x-tenant-id: ${tenant}`)}`]),
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(" \\\n  ");
}

/** A command. */
export function asCommand({ kind, payload, tenant, tags, priority }: CopiedJob): string {
  return [
    `millrace submit ${quoted(kind)} ${quoted(JSON.stringify(payload))}`,
    ...tags.map((tag) => `--tag ${quoted(tag)}`),
    ...(priority === 0 ? [] : [`--priority ${priority}`]),
    ...(tenant === "default" ? [] : [`--tenant ${quoted(tenant)}`]),
  ].join(" ");
}

/** A test with the test kit. The name of the variable that holds the kind is a guess. */
export function asTest({ jobId, kind, payload }: CopiedJob): string {
  const variable = kind.replaceAll(/[^a-zA-Z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? "").toUpperCase());
  const source = JSON.stringify(payload, null, 2).replaceAll("\n", "\n  ");
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { Testkit } from "millrace/testing";
import { ${variable} } from "./kinds.ts";

test("${kind} does the work of ${jobId}", async (t) => {
  const kit = await Testkit.open({ kinds: [${variable}] });
  t.after(() => kit.stop());
  const result = await kit.run(${variable}, ${source});
  assert.ok(result);
});
`;
}

/** In single quotes, as POSIX shells take any text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
