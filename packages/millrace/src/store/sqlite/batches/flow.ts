// A flow: jobs that wait for others of the same submission. A job with dependencies waits from the start.

import { DEPENDENCY } from "../../children/codes.ts";
import { withPlaces } from "../../decide/flows.ts";
import type { NewFlow } from "../../verbs/batches.ts";
import type { SubmitAnswer } from "../../verbs/submission.ts";
import { OPEN } from "../../waits/codes.ts";
import { addEdges } from "../children/edges.ts";
import type { Core } from "../core.ts";
import { findRow } from "../read/row.ts";
import { submit } from "../submit/submit.ts";

const ADD_WAIT = `INSERT INTO wait (job, stage, type, name, state, since, tenant, details)
  VALUES (?, ?, 'after', 'after', ${OPEN}, ?, ?, ?) RETURNING id`;

export function submitFlow(core: Core, flow: NewFlow): SubmitAnswer {
  const [answer] = submit(core, [withPlaces(flow)]);
  if (answer?.type !== "accepted") return answer as SubmitAnswer;
  const keys = answer.jobIds.map((id) => core.ids.decode(id) as number);
  const now = core.clock.now();
  for (const [i, { after, when }] of flow.places.entries()) {
    if (after.length === 0) continue;
    const owner = keys[i] as number;
    const row = findRow(core, owner);
    if (!row) throw new Error(`job ${owner} of a flow is not stored`);
    const wait = core.statement(ADD_WAIT).get(owner, row.stage, now, row.tenant, JSON.stringify({ mode: when })) as {
      id: number;
    };
    addEdges(
      core,
      after.map((dependency, place) => ({
        type: DEPENDENCY,
        owner,
        wait: wait.id,
        job: keys[dependency] as number,
        place,
        key: flow.places[dependency]?.name,
      })),
    );
  }
  return answer;
}
