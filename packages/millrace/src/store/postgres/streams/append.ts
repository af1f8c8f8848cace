import type { Lease } from "../../../job/lease.ts";
import { newHead, openStreamOf, partsToStore, roomWith, type StreamHead, streamRefusal } from "../../decide/streams.ts";
import { HAS_STREAMS, inParts } from "../../streams/codes.ts";
import { TenantSums } from "../../tenant-sums.ts";
import type { OpenStream, StreamPart, StreamWrite, StreamWriteAnswer } from "../../verbs/streams.ts";
import type { StatementRunner } from "../connection/connection.ts";
import type { Core } from "../core.ts";
import { RUNS } from "../read/row.ts";
import { addFlag, whileHeld } from "../settle/belongings.ts";
import { onePerCore } from "../thread/group.ts";

const HELD = `SELECT stage FROM millrace.job WHERE id = $1 AND token = $2 AND ${RUNS}`;
const HEADS = "SELECT name, last, bytes, restart, keep, writer, seq FROM millrace.stream WHERE job = $1 ORDER BY name";
const ADD_HEAD = `INSERT INTO millrace.stream (job, name, tenant, created_at)
  SELECT $1, $2, tenant, $3 FROM millrace.job WHERE id = $1`;
const SET_HEAD = "UPDATE millrace.stream SET last = $3, bytes = $4, writer = $5, seq = $6 WHERE job = $1 AND name = $2";
const ADD_PART = `INSERT INTO millrace.stream_part (job, name, number, count, stage, step, data)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const OF_STAGE = `SELECT name, number, count, step
  FROM millrace.stream_part
  WHERE job = $1 AND stage = $2 AND count > 0
  ORDER BY number`;
const OF_STEP = `SELECT number, count
  FROM millrace.stream_part
  WHERE job = $1 AND name = $2 AND stage = $3 AND step = $4 AND number > $5 AND number < $6
  ORDER BY number`;
const RENUMBER = "UPDATE millrace.stream_part SET number = $4 WHERE job = $1 AND name = $2 AND number = $3";
const OF_TENANT = "SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM millrace.stream WHERE tenant = $1";
const TENANT = "SELECT tenant FROM millrace.job WHERE id = $1";

const tenantBytesOf = onePerCore(() => new TenantSums());

export async function openStreams(core: Core, lease: Lease): Promise<OpenStream[] | "lease-lost"> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  await core.bundles.openFor([key]);
  const { write: db } = core.connections;
  const [row] = await db.run<{ stage: number }>(HELD, [key, lease.token]);
  if (!row) return "lease-lost";
  await core.names.knowStages([row.stage]);
  const stage = core.names.stage(row.stage).name;
  const parts = await db.run<{ name: string; number: number; count: number; step: string | null }>(OF_STAGE, [
    key,
    stage,
  ]);
  return (await headsOf(db, key)).map((head) => openStreamOf(head, parts));
}

export async function appendStreams(core: Core, lease: Lease, write: StreamWrite): Promise<StreamWriteAnswer> {
  let refused: string | undefined;
  const written = await whileHeld(core, lease, { durable: false }, async (tx, row) => {
    await core.names.knowStages([row.stage]);
    const heads = new Map((await headsOf(tx, row.id)).map((head) => [head.name, head]));
    const parts = partsToStore(write, heads);
    refused = await refusal(core, tx, row.id, heads, parts);
    if (refused !== undefined) return;
    const stage = core.names.stage(row.stage).name;
    for (const part of parts) {
      const head = heads.get(part.stream) ?? (await addHead(tx, row, part.stream));
      heads.set(head.name, head);
      if ("show" in part) await showStep(tx, row.id, stage, head, part.show);
      else await addChunks(tx, row.id, stage, head, part);
    }
    for (const name of new Set(parts.map(({ stream }) => stream))) {
      const { last, bytes } = heads.get(name) as StreamHead;
      await tx.run(SET_HEAD, [row.id, name, last, bytes, write.writer, write.seq]);
    }
    await addFlag(core, tx, row, HAS_STREAMS);
  });
  if (refused !== undefined) return { refused };
  if (written === "written") core.voice.sayStreamed(core.ids.decode(lease.jobId) ?? -1);
  return written;
}

async function refusal(
  core: Core,
  tx: StatementRunner,
  job: number,
  heads: ReadonlyMap<string, StreamHead>,
  parts: StreamPart[],
): Promise<string | undefined> {
  const sums = tenantBytesOf(core);
  const now = core.clock.monotonic();
  const [owner] = await tx.run<{ tenant: number }>(TENANT, [job]);
  const tenant = owner?.tenant ?? -1;
  const known = sums.known(tenant, now);
  const before = known ?? (await tx.run<{ bytes: number }>(OF_TENANT, [tenant]))[0]?.bytes ?? 0;
  const room = roomWith(parts, heads, before);
  const refused = streamRefusal(room, core.options.limits);
  sums.learn(tenant, refused === undefined ? room.tenantBytes : before, now, { isCounted: known === undefined });
  return refused;
}

async function addHead(tx: StatementRunner, row: { id: number; now: number }, name: string): Promise<StreamHead> {
  await tx.run(ADD_HEAD, [row.id, name, row.now]);
  return newHead(name);
}

async function addChunks(
  tx: StatementRunner,
  job: number,
  stage: string,
  head: StreamHead,
  { step, chunks }: Extract<StreamPart, { chunks: string[] }>,
): Promise<void> {
  for (const { count, data } of inParts(chunks)) {
    head.last += count;
    head.bytes += Buffer.byteLength(data);
    await tx.run(ADD_PART, [job, head.name, head.last, count, stage, step ?? null, data]);
  }
}

/** Numbers only grow, so no part gets the number of another. */
async function showStep(
  tx: StatementRunner,
  job: number,
  stage: string,
  head: StreamHead,
  step: string,
): Promise<void> {
  const values = [job, head.name, stage, step, head.keep, head.restart];
  for (const { number, count } of await tx.run<{ number: number; count: number }>(OF_STEP, values)) {
    head.last += count;
    await tx.run(RENUMBER, [job, head.name, number, head.last]);
  }
}

export function headsOf(tx: StatementRunner, job: number): Promise<StreamHead[]> {
  return tx.run<StreamHead>(HEADS, [job]);
}
