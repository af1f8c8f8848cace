// What an attempt wrote is taken back when the stage runs again after a failure: in the commit that ends the attempt.

import { decideRestart, type KeptPart } from "../../decide/streams.ts";
import { numbers } from "../connection/arrays.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { headsOf } from "./append.ts";

const PARTS = `SELECT number, count, stage, step, octet_length(data) AS bytes
  FROM millrace.stream_part
  WHERE job = $1 AND name = $2
  ORDER BY number`;
const STORED_STEPS = "SELECT name FROM millrace.step WHERE job = $1 AND stage = $2";
const DROP = "DELETE FROM millrace.stream_part WHERE job = $1 AND name = $2 AND number = ANY($3::bigint[])";
const ADD_RESTART = `INSERT INTO millrace.stream_part (job, name, number, count, stage, step, data)
  VALUES ($1, $2, $3, 0, $4, NULL, $5)`;
const SET_HEAD = `UPDATE millrace.stream
  SET last = $3, bytes = $4, restart = $3, keep = $5
  WHERE job = $1 AND name = $2`;

export async function restartStreams(
  core: Core,
  tx: StatementRunner,
  row: { id: number; stage: number },
): Promise<void> {
  const stage = core.names.stage(row.stage).name;
  const steps = await tx.run<{ name: string }>(STORED_STEPS, [row.id, row.stage]);
  const stored = new Set(steps.map(({ name }) => name));
  for (const head of await headsOf(tx, row.id)) {
    const parts = await tx.run<KeptPart>(PARTS, [row.id, head.name]);
    const { keep, drop, dropBytes, isVisible } = decideRestart(parts, stage, stored, head);
    if (drop.length > 0) await tx.run(DROP, [row.id, head.name, numbers(drop)]);
    if (!isVisible) continue;
    const restart = head.last + 1;
    await tx.run(ADD_RESTART, [row.id, head.name, restart, stage, String(keep)]);
    await tx.run(SET_HEAD, [row.id, head.name, restart, head.bytes - dropBytes, keep]);
  }
  core.voice.sayStreamed(row.id);
}
