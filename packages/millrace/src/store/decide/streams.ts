// What a write adds to the streams of a job, and what becomes of a stream when an attempt fails. The stage runs again from its top, so what it wrote is taken back. Two things
// stay: chunks of earlier stages, which do not run again, and chunks of stored steps, which do not run again either.
//
//   turn 1 (stored step) │ turn 2 (half done)      the attempt fails
//   turn 1               │ restart: keep turn 1    turn 2 is written again
//
// Chunks of a stored step that come after something that is taken back are hidden: the restart takes them out of view, and
// they are shown again when the next attempt comes to their step. So the order is that of the code.

import { bytesIn, MOST_STREAMS } from "../streams/codes.ts";
import type { OpenStream, StreamPart, StreamWrite } from "../verbs/streams.ts";

export interface KeptPart {
  number: number;
  count: number;
  stage: string;
  step: string | null;
  bytes: number;
}

/** Where the last restart stands, and up to which number chunks survived it. Both are 0 if there was none. */
export interface LastRestart {
  restart: number;
  keep: number;
}

/** What both stores keep of a stream beside its parts. */
export interface StreamHead extends LastRestart {
  name: string;
  /** The number of its last entry. */
  last: number;
  bytes: number;
  /** The last write, by which a repeated one is known. */
  writer: string;
  seq: number;
}

export function newHead(name: string): StreamHead {
  return { name, last: 0, bytes: 0, restart: 0, keep: 0, writer: "", seq: 0 };
}

/** What an attempt must know of a stream that its stage has written before. `parts` are those of the stage, in all its streams. */
export function openStreamOf(
  head: StreamHead,
  parts: readonly { name: string; number: number; count: number; step: string | null }[],
): OpenStream {
  const own = parts.filter(({ name }) => name === head.name);
  const outside = own.filter(({ step }) => step === null).reduce((sum, { count }) => sum + count, 0);
  const hidden = own.flatMap((part) => (part.step !== null && isHidden(part, head) ? [part.step] : []));
  return { name: head.name, outside, hidden: [...new Set(hidden)] };
}

/** The parts of a write that are not stored yet: a write whose answer was lost comes again. */
export function partsToStore(write: StreamWrite, heads: ReadonlyMap<string, StreamHead>): StreamPart[] {
  return write.parts.filter(({ stream }) => {
    const head = heads.get(stream);
    return !head || head.writer !== write.writer || head.seq < write.seq;
  });
}

/** What the streams hold with these parts. `tenantBytes`: what those of the tenant hold without them. */
export function roomWith(
  parts: readonly StreamPart[],
  heads: ReadonlyMap<string, StreamHead>,
  tenantBytes: number,
): StreamRoom {
  const added = bytesIn(parts);
  return {
    jobBytes: [...heads.values()].reduce((sum, { bytes }) => sum + bytes, added),
    tenantBytes: tenantBytes + added,
    streams: new Set([...heads.keys(), ...parts.map(({ stream }) => stream)]).size,
  };
}

export interface RestartDecision {
  keep: number;
  /** The numbers of the parts that are deleted. */
  drop: number[];
  dropBytes: number;
  /** Whether readers have seen something that is no longer part of the stream. */
  isVisible: boolean;
}

export function isHidden({ number }: { number: number }, { restart, keep }: LastRestart): boolean {
  return number > keep && number < restart;
}

/** `parts` are all of the stream, in order; `stored` are the names of the stored steps of the stage that failed. */
export function decideRestart(
  parts: readonly KeptPart[],
  stage: string,
  stored: ReadonlySet<string>,
  last: LastRestart,
): RestartDecision {
  let keep = 0;
  for (const part of parts) {
    const stays = part.stage !== stage || part.count === 0 || isStored(part, stored);
    if (!stays || (part.stage === stage && isHidden(part, last))) break;
    if (part.count > 0) keep = part.number;
  }
  const after = parts.filter((part) => part.count > 0 && part.number > keep);
  const dropped = after.filter((part) => part.stage === stage && !isStored(part, stored));
  return {
    keep,
    drop: dropped.map(({ number }) => number),
    dropBytes: dropped.reduce((sum, { bytes }) => sum + bytes, 0),
    isVisible: after.some((part) => !isHidden(part, last)),
  };
}

function isStored({ step }: KeptPart, stored: ReadonlySet<string>): boolean {
  return step !== null && stored.has(step);
}

export interface StreamRoom {
  /** What the streams of the job hold, and those of its tenant. */
  jobBytes: number;
  tenantBytes: number;
  streams: number;
}

export interface StreamLimits {
  /** 0 means no limit. */
  maxStreamBytesPerJob: number;
  maxStreamBytesPerTenant: number;
}

/** Why a write is refused. Undefined: there is room. */
export function streamRefusal(room: StreamRoom, limits: StreamLimits): string | undefined {
  const { maxStreamBytesPerJob: ofJob, maxStreamBytesPerTenant: ofTenant } = limits;
  if (room.streams > MOST_STREAMS) return `A job has at most ${MOST_STREAMS} streams.`;
  if (ofJob > 0 && room.jobBytes > ofJob) return `The streams of a job hold at most ${ofJob} bytes.`;
  if (ofTenant > 0 && room.tenantBytes > ofTenant) return `The streams of a tenant hold at most ${ofTenant} bytes.`;
  return undefined;
}
