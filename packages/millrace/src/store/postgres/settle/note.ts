// Progress and log lines. Notes that come together share one transaction: with one for each, a thousand jobs that ended at once
// waited so long for a connection that their last lines were refused.

import type { Lease, WriteAnswer } from "../../../job/lease.ts";
import { AppError } from "../../../lib/app-error.ts";
import { retry } from "../../../lib/growing-pause.ts";
import { HAS_LOGS } from "../../codes.ts";
import { linesToStore } from "../../decide/attempt/log-lines.ts";
import type { LogLine, Note } from "../../verbs/attempts.ts";
import { numbers, texts } from "../connection/arrays.ts";
import { nowBy } from "../connection/clock.ts";
import type { StatementRunner, Value } from "../connection/connection.ts";
import { statement } from "../connection/statement.ts";
import type { Core } from "../core.ts";
import { RUNS } from "../read/row.ts";
import { Group, onePerCore } from "../thread/group.ts";

/** A settle waits for the notes of its job, so a note is tried once more and no longer. */
const PAUSES = { firstMs: 50, longestMs: 50 };
const TRIES = 2;

const LOCK = statement<{ now: Value; durable: string; keys: string }>(`SELECT id, token, flags, ${nowBy(":now")} AS now,
    set_config('synchronous_commit', :durable, true)
  FROM millrace.job
  WHERE id = ANY(:keys::bigint[]) AND ${RUNS}
  ORDER BY id
  FOR NO KEY UPDATE`);
// The value is found by its position, not by a join: a plan that was made while the store was empty would read all jobs
// for one note.
const SET_PROGRESS = statement<{ keys: string; values: string; now: number }>(`UPDATE millrace.job
  SET progress = (:values::text[])[array_position(:keys::bigint[], id)], updated_at = :now
  WHERE id = ANY(:keys::bigint[])`);
const COUNT_LOGS = statement<{ keys: string }>(`SELECT job, count(*)::int AS count
  FROM millrace.log
  WHERE job = ANY(:keys::bigint[])
  GROUP BY job`);
const FIND_LOGS = statement<{ keys: string; since: number }>(`SELECT job, at, level, message
  FROM millrace.log
  WHERE job = ANY(:keys::bigint[]) AND at >= :since`);
const ADD_LOGS = statement<{ jobs: string; at: string; levels: string; messages: string; data: string }>(`INSERT
  INTO millrace.log (job, at, level, message, data)
  SELECT t.job, t.at, t.level, t.message, t.data
  FROM unnest(:jobs::bigint[], :at::bigint[], :levels::text[], :messages::text[], :data::text[])
    WITH ORDINALITY AS t (job, at, level, message, data, n)
  ORDER BY n`);
const ADD_FLAG = statement<{ keys: string }>(`UPDATE millrace.job
  SET flags = flags | ${HAS_LOGS}
  WHERE id = ANY(:keys::bigint[]) AND flags & ${HAS_LOGS} = 0`);

interface Ask {
  key: number;
  token: number;
  note: Note;
}

interface HeldJob {
  id: number;
  token: number;
  flags: number;
  now: number;
}

export function note(core: Core, lease: Lease, note: Note): Promise<WriteAnswer> {
  const key = core.ids.decode(lease.jobId) ?? -1;
  return core.notes.track(key, write(core, { key, token: lease.token, note }));
}

async function write(core: Core, ask: Ask): Promise<WriteAnswer> {
  await core.bundles.openFor([ask.key]);
  let tries = 0;
  const work = () => {
    const again = ++tries > 1 || ask.note.again === true;
    return groupOf(core).ask({ ...ask, note: { ...ask.note, again } }, 1 + (ask.note.logs?.length ?? 0));
  };
  const mayRetry = (error: unknown) => tries < TRIES && error instanceof AppError && error.code === "store-unavailable";
  return retry(work, PAUSES, mayRetry);
}

const groupOf = onePerCore(
  (core) =>
    new Group<Ask, WriteAnswer>((asks) => core.connections.write.transact((tx) => writeTogether(core, tx, asks))),
);

async function writeTogether(core: Core, tx: StatementRunner, asks: Ask[]): Promise<WriteAnswer[]> {
  const keys = numbers([...new Set(asks.map(({ key }) => key))]);
  const rows = await tx.run<HeldJob>(...LOCK({ now: core.clock.given, durable: core.durable(false), keys }));
  const held = new Map(rows.map((row) => [row.id, row]));
  const taken = asks.filter(({ key, token }) => held.get(key)?.token === token);
  const now = rows[0]?.now ?? 0;
  // The last progress of a job counts.
  const progress = new Map(taken.flatMap(({ key, note }) => (note.progress ? [[key, note.progress]] : [])));
  if (progress.size > 0) {
    const values = texts([...progress.values()].map((value) => JSON.stringify(value)));
    await tx.run(...SET_PROGRESS({ keys: numbers([...progress.keys()]), values, now }));
  }
  const logging = taken.filter(({ note }) => note.logs?.length);
  if (logging.length > 0) await addLogs(core, tx, logging, held);
  return asks.map((ask) => (taken.includes(ask) ? "written" : "lease-lost"));
}

async function addLogs(core: Core, tx: StatementRunner, asks: Ask[], held: Map<number, HeldJob>): Promise<void> {
  const keys = [...new Set(asks.map(({ key }) => key))];
  const kept = new Map<number, number>();
  const withLogs = keys.filter((key) => (held.get(key)?.flags ?? 0) & HAS_LOGS);
  if (withLogs.length > 0) {
    const counts = await tx.run<{ job: number; count: number }>(...COUNT_LOGS({ keys: numbers(withLogs) }));
    for (const { job, count } of counts) kept.set(job, count);
  }
  const known = await linesWritten(tx, asks);
  const lines: (LogLine & { job: number })[] = [];
  for (const { key, note } of asks) {
    const fresh = (note.logs ?? []).filter((line) => !note.again || !known.has(nameOf(key, line)));
    const count = kept.get(key) ?? 0;
    kept.set(key, count + fresh.length);
    for (const line of linesToStore(fresh, count, held.get(key)?.now ?? 0)) lines.push({ job: key, ...line });
  }
  if (lines.length === 0) return;
  await tx.run(
    ...ADD_LOGS({
      jobs: numbers(lines.map(({ job }) => job)),
      at: numbers(lines.map(({ at }) => at)),
      levels: texts(lines.map(({ level }) => level)),
      messages: texts(lines.map(({ message }) => message)),
      data: texts(lines.map(({ data }) => data)),
    }),
  );
  const unmarked = keys.filter((key) => !withLogs.includes(key));
  if (unmarked.length === 0) return;
  await tx.run(...ADD_FLAG({ keys: numbers(unmarked) }));
  // The transaction may still fail. That does no harm: it costs a look into an empty table.
  for (const key of unmarked) {
    const lease = core.leases.get(key);
    if (lease) lease.flags |= HAS_LOGS;
  }
}

/** Finds lines of notes that are sent again. The answer to the first note may have been lost after its commit. */
async function linesWritten(tx: StatementRunner, asks: readonly Ask[]): Promise<Set<string>> {
  const again = asks.filter(({ note }) => note.again);
  if (again.length === 0) return new Set();
  const since = Math.min(...again.flatMap(({ note }) => (note.logs ?? []).map(({ at }) => at)));
  const keys = numbers(again.map(({ key }) => key));
  const rows = await tx.run<LogLine & { job: number }>(...FIND_LOGS({ keys, since }));
  return new Set(rows.map(({ job, ...line }) => nameOf(job, line)));
}

function nameOf(job: number, { at, level, message }: LogLine): string {
  return `${job} ${at} ${level} ${message}`;
}
