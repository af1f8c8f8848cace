import type { Lease } from "../../../job/lease.ts";
import { newHead, openStreamOf, partsToStore, roomWith, type StreamHead, streamRefusal } from "../../decide/streams.ts";
import type { JobRow } from "../../rows/job-row.ts";
import { HAS_STREAMS, inParts } from "../../streams/codes.ts";
import { TenantSums } from "../../tenant-sums.ts";
import type { OpenStream, StreamPart, StreamWrite, StreamWriteAnswer } from "../../verbs/streams.ts";
import type { Core } from "../core.ts";
import { addFlag, heldRow } from "../settle/belongings.ts";

const HEADS = "SELECT name, last, bytes, restart, keep, writer, seq FROM stream WHERE job = ?";
const ADD_HEAD = "INSERT INTO stream (job, name, tenant, created_at) VALUES (?, ?, ?, ?)";
const SET_HEAD = "UPDATE stream SET last = ?, bytes = ?, writer = ?, seq = ? WHERE job = ? AND name = ?";
const ADD_PART = "INSERT INTO stream_part (job, name, number, count, stage, step, data) VALUES (?, ?, ?, ?, ?, ?, ?)";
const OF_STAGE =
  "SELECT name, number, count, step FROM stream_part WHERE job = ? AND stage = ? AND count > 0 ORDER BY number";
const OF_STEP = `SELECT number, count FROM stream_part
  WHERE job = ? AND name = ? AND stage = ? AND step = ? AND number > ? AND number < ? ORDER BY number`;
const RENUMBER = "UPDATE stream_part SET number = ? WHERE job = ? AND name = ? AND number = ?";
const OF_TENANT = "SELECT coalesce(sum(bytes), 0) AS bytes FROM stream WHERE tenant = ?";

export function openStreams(core: Core, lease: Lease): OpenStream[] | "lease-lost" {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  const stage = core.names.stage(row.stage).name;
  const parts = core.statement(OF_STAGE).all(row.id, stage) as unknown as {
    name: string;
    number: number;
    count: number;
    step: string | null;
  }[];
  return headsOf(core, row.id).map((head) => openStreamOf(head, parts));
}

export function appendStreams(core: Core, lease: Lease, write: StreamWrite): StreamWriteAnswer {
  const row = heldRow(core, lease);
  if (!row) return "lease-lost";
  const heads = new Map(headsOf(core, row.id).map((head) => [head.name, head]));
  const parts = partsToStore(write, heads);
  const refused = refusal(core, row, heads, parts);
  if (refused !== undefined) return { refused };
  const stage = core.names.stage(row.stage).name;
  for (const part of parts) {
    const head = heads.get(part.stream) ?? addHead(core, row, part.stream);
    heads.set(head.name, head);
    if ("show" in part) showStep(core, row.id, stage, head, part.show);
    else addChunks(core, row.id, stage, head, part);
  }
  for (const name of new Set(parts.map(({ stream }) => stream))) {
    const { last, bytes } = heads.get(name) as StreamHead;
    core.statement(SET_HEAD).run(last, bytes, write.writer, write.seq, row.id, name);
  }
  addFlag(core, row, HAS_STREAMS);
  return "written";
}

function refusal(
  core: Core,
  row: JobRow,
  heads: ReadonlyMap<string, StreamHead>,
  parts: StreamPart[],
): string | undefined {
  const sums = tenantBytesOf(core);
  const now = core.clock.monotonic();
  const known = sums.known(row.tenant, now);
  const before = known ?? (core.statement(OF_TENANT).get(row.tenant) as { bytes: number }).bytes;
  const room = roomWith(parts, heads, before);
  const refused = streamRefusal(room, core.options.limits);
  sums.learn(row.tenant, refused === undefined ? room.tenantBytes : before, now, { isCounted: known === undefined });
  return refused;
}

const known = new WeakMap<Core, TenantSums>();

function tenantBytesOf(core: Core): TenantSums {
  const sums = known.get(core) ?? new TenantSums();
  known.set(core, sums);
  return sums;
}

function addHead(core: Core, row: JobRow, name: string): StreamHead {
  core.statement(ADD_HEAD).run(row.id, name, row.tenant, core.clock.now());
  return newHead(name);
}

function addChunks(
  core: Core,
  job: number,
  stage: string,
  head: StreamHead,
  { step, chunks }: Extract<StreamPart, { chunks: string[] }>,
): void {
  for (const { count, data } of inParts(chunks)) {
    head.last += count;
    head.bytes += Buffer.byteLength(data);
    core.statement(ADD_PART).run(job, head.name, head.last, count, stage, step ?? null, data);
  }
}

/** Numbers only grow, so no part gets the number of another. */
function showStep(core: Core, job: number, stage: string, head: StreamHead, step: string): void {
  const hidden = core.statement(OF_STEP).all(job, head.name, stage, step, head.keep, head.restart) as unknown as {
    number: number;
    count: number;
  }[];
  for (const { number, count } of hidden) {
    head.last += count;
    core.statement(RENUMBER).run(head.last, job, head.name, number);
  }
}

export function headsOf(core: Core, job: number): StreamHead[] {
  return core.statement(HEADS).all(job) as unknown as StreamHead[];
}
