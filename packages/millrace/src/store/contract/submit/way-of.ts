// What tests of the last submission of a key share.

import assert from "node:assert/strict";
import type { NewJob, SubmitAnswer } from "../../verbs/submission.ts";
import type { Rig } from "../rig.ts";

export const REPLACE = { uniqueKey: "u", ifUnique: "replace" } as const;
export const EXTEND = { uniqueKey: "u", ifUnique: "extend" } as const;

export function wayOf(answer: SubmitAnswer): string {
  assert.ok(answer.type !== "refused", JSON.stringify(answer));
  return answer.ways?.[0] ?? (answer.joined?.includes(0) ? "joined" : "new");
}

export async function offerMany(
  rig: Rig,
  jobs: Partial<NewJob>[],
  idempotency?: { key: string; fingerprint: string },
): Promise<SubmitAnswer> {
  const [answer] = await rig.store.submit([
    {
      tenant: "default",
      jobs: jobs.map((job) => ({ kind: "mail", payload: "{}", ...job })),
      ...(idempotency && { idempotency }),
    },
  ]);
  assert.ok(answer);
  return answer;
}
