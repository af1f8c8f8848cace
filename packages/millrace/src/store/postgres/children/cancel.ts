import { RUNNING } from "../../codes.ts";
import { decideCancellation } from "../../decide/cancellation.ts";
import { numbers } from "../connection/arrays.ts";
import { NOW } from "../connection/clock.ts";
import type { Core } from "../core.ts";
import type { LockedRow } from "../read/row.ts";
import { applyAll, type RowChange } from "../settle/apply.ts";
import { askCancel } from "../waits/undo.ts";
import { endEdges } from "./edges.ts";

const LOCK = `SELECT *, ${NOW} AS now FROM millrace.job WHERE id = ANY($2::bigint[]) ORDER BY id FOR UPDATE`;
const ENDED = `SELECT id, standing, ${NOW} AS now FROM millrace.finished WHERE id = ANY($2::bigint[])`;

/** Cancels live jobs at the ends of edges. Those that have ended, unseen by an older process, are marked. */
export async function cancelEdges(core: Core, keys: readonly number[], reason: string): Promise<void> {
  await core.bundles.openFor([...keys]);
  const wasRunning = await core.connections.write.transact(async (tx) => {
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
    const ended = await tx.run<{ id: number; standing: number; now: number }>(ENDED, [core.clock.given, numbers(keys)]);
    const live = new Set(rows.map(({ id }) => id));
    const unseen = ended.filter(({ id }) => !live.has(id));
    if (unseen.length > 0) await endEdges(core, tx, unseen, unseen[0]?.now as number);
    return rows.some(({ standing }) => standing === RUNNING);
  });
  if (wasRunning) {
    core.voice.say("revoked");
    await core.tellLost();
  }
  core.voice.say("end");
  core.events.wake();
}
