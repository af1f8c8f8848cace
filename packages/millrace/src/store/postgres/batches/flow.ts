// A flow: jobs that wait for others of the same submission. A job with dependencies waits from the start.

import { DEPENDENCY } from "../../children/codes.ts";
import { withPlaces } from "../../decide/flows.ts";
import type { NewFlow } from "../../verbs/batches.ts";
import type { Submission, SubmitAnswer } from "../../verbs/submission.ts";
import { OPEN } from "../../waits/codes.ts";
import { addEdges } from "../children/edges.ts";
import type { OwnTransaction } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { readySubmission, submitInside } from "../submit/submit.ts";

const ADD_WAIT = `INSERT INTO millrace.wait (job, stage, type, name, state, since, tenant, details)
  SELECT id, stage, 'after', 'after', ${OPEN}, created_at, tenant, $2 FROM millrace.job WHERE id = $1 RETURNING id`;

export async function submitFlow(core: Core, flow: NewFlow): Promise<SubmitAnswer> {
  const submission = withPlaces(flow);
  await readySubmission(core, submission);
  const answer = await core.connections.write.transact((tx) => store(core, tx, flow, submission));
  if (answer.type === "accepted") core.voice.say("work");
  return answer;
}

async function store(
  core: Core,
  tx: OwnTransaction,
  { places }: NewFlow,
  submission: Submission,
): Promise<SubmitAnswer> {
  const answer = await submitInside(core, tx, submission);
  if (answer.type !== "accepted") return answer;
  const keys = answer.jobIds.map((id) => core.ids.decode(id) as number);
  for (const [i, { after, when }] of places.entries()) {
    if (after.length === 0) continue;
    const owner = keys[i] as number;
    const [wait] = await tx.run<{ id: number }>(ADD_WAIT, [owner, JSON.stringify({ mode: when })]);
    await addEdges(tx, {
      owner,
      wait: wait?.id as number,
      jobs: after.map((place) => ({ type: DEPENDENCY, job: keys[place] as number, key: places[place]?.name })),
    });
  }
  return answer;
}
