import { COMPLETED, RUNNING } from "../../codes.ts";
import { decideCancellation } from "../../decide/cancellation.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { applyAll, type RowChange } from "../settle/apply.ts";
import { askCancel } from "../waits/undo.ts";
import { endEdges } from "./edges.ts";

const LOCK = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = ANY($2::bigint[]) ORDER BY id FOR UPDATE`;
const ENDED = `SELECT id, standing, retried_as, ${NOW} AS now FROM millrace.finished WHERE id = ANY($2::bigint[])`;

interface EndedRow {
  id: number;
  standing: number;
  retried_as: number | null;
  now: number;
}

/**
 * Cancels live jobs at the ends of edges. Those that have ended, unseen by an older process, are marked. Where a job continued as
 * new since the edges were read, its successor is cancelled.
 */
export async function cancelEdges(core: Core, keys: readonly number[], reason: string): Promise<void> {
  await core.bundles.openFor([...keys]);
  const { wasRunning, successors } = await core.connections.write.transact(async (tx) => {
    const rows = await tx.run<LockedRow>(LOCK, [core.clock.given, numbers(keys)]);
    await core.names.knowStages(rows.map(({ stage }) => stage));
    const changes: RowChange[] = [];
    for (const row of rows) {
      const jobId = core.ids.encode(row.id);
      const { change, asks } = decideCancellation(row, { jobId, reason, unlessJoined: false });
      if (asks) await askCancel(tx, row, asks);
      if (change) changes.push({ row, change });
    }
    await applyAll(core, tx, changes);
    const ended = await tx.run<EndedRow>(ENDED, [core.clock.given, numbers(keys)]);
    const live = new Set(rows.map(({ id }) => id));
    const gone = ended.filter(({ id }) => !live.has(id));
    const successors = gone.flatMap(({ standing, retried_as }) => (standing === COMPLETED ? (retried_as ?? []) : []));
    const unseen = gone.filter(({ standing, retried_as }) => standing !== COMPLETED || retried_as === null);
    if (unseen.length > 0) await endEdges(core, tx, unseen, unseen[0]?.now as number);
    return { wasRunning: rows.some(({ standing }) => standing === RUNNING), successors };
  });
  if (wasRunning) {
    core.voice.say("revoked");
    await core.tellLost();
  }
  core.voice.say("end");
  core.events.wake();
  if (successors.length > 0) await cancelEdges(core, successors, reason);
}
