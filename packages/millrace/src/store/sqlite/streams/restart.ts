// What an attempt wrote is taken back when the stage runs again after a failure: in the commit that ends the attempt.

import { decideRestart, type KeptPart } from "../../decide/streams.ts";
import type { JobRow } from "../../rows/job-row.ts";
import type { Core } from "../core.ts";
import { headsOf } from "./append.ts";

const PARTS = `SELECT number, count, stage, step, octet_length(data) AS bytes FROM stream_part
  WHERE job = ? AND name = ? ORDER BY number`;
const STORED_STEPS = "SELECT name FROM step WHERE job = ? AND stage = ?";
const DROP = "DELETE FROM stream_part WHERE job = ? AND name = ? AND number = ?";
const ADD_RESTART = `INSERT INTO stream_part (job, name, number, count, stage, step, data)
  VALUES (?, ?, ?, 0, ?, NULL, ?)`;
const SET_HEAD = "UPDATE stream SET last = ?, bytes = ?, restart = ?, keep = ? WHERE job = ? AND name = ?";

export function restartStreams(core: Core, row: Pick<JobRow, "id" | "stage">): void {
  const stage = core.names.stage(row.stage).name;
  const steps = core.statement(STORED_STEPS).all(row.id, row.stage) as { name: string }[];
  const stored = new Set(steps.map(({ name }) => name));
  for (const head of headsOf(core, row.id)) {
    const parts = core.statement(PARTS).all(row.id, head.name) as unknown as KeptPart[];
    const { keep, drop, dropBytes, isVisible } = decideRestart(parts, stage, stored, head);
    for (const number of drop) core.statement(DROP).run(row.id, head.name, number);
    if (!isVisible) continue;
    const restart = head.last + 1;
    core.statement(ADD_RESTART).run(row.id, head.name, restart, stage, String(keep));
    core.statement(SET_HEAD).run(restart, head.bytes - dropBytes, restart, keep, row.id, head.name);
  }
}
