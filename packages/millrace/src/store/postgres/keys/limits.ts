import { HOLDS_KEY } from "../../keys/codes.ts";
import { type DeadHolderRow, deadKeyHoldersOf, type SharedLimitRow, sharedLimitOf } from "../../rows/key-rows.ts";
import type { ControlAnswer } from "../../verbs/jobs.ts";
import type { DeadKeyHolders, SharedLimitFacts } from "../../verbs/limits/shared-limits.ts";
import { tellOfWork } from "../children/queue.ts";
import type { Core } from "../core.ts";
import { runningByKind } from "./room.ts";

const ALL = `SELECT name, total AS defined, set_total AS "setTotal" FROM millrace.concurrency_limit ORDER BY name`;
const DEAD_HOLDERS = `SELECT id, count(*) OVER ()::int AS count FROM millrace.finished
  WHERE flags & ${HOLDS_KEY} <> 0 ORDER BY finished_at LIMIT 5`;
const SET = "UPDATE millrace.concurrency_limit SET set_total = $1::int WHERE name = $2 RETURNING name";

export async function sharedLimits(core: Core): Promise<SharedLimitFacts[]> {
  const { write } = core.connections;
  await core.names.refresh();
  const rows = await write.run<SharedLimitRow>(ALL);
  const running = await runningByKind(
    write,
    rows.flatMap(({ name }) => core.names.kindsUnder(name)),
  );
  return rows.map((row) => {
    const kinds = core.names.kindsUnder(row.name);
    const names = kinds.map((kind) => core.names.rules(kind).name);
    return sharedLimitOf(row, {
      kinds: names,
      running: kinds.reduce((sum, kind) => sum + (running.get(kind) ?? 0), 0),
    });
  });
}

export async function setSharedLimit(core: Core, name: string, total: number | null): Promise<ControlAnswer> {
  const rows = await core.connections.write.run(SET, [total, name]);
  if (rows.length === 0) return "not-found";
  tellOfWork(core);
  return "done";
}

export async function deadKeyHolders(core: Core): Promise<DeadKeyHolders> {
  const rows = await core.connections.write.run<DeadHolderRow>(DEAD_HOLDERS);
  return deadKeyHoldersOf(rows, core.ids.encode);
}
