import { toErrorData } from "../../../lib/app-error.ts";
import type { Call, CallReply } from "../../thread/calls.ts";
import { VERBS, type Verb, type VerbTraits } from "../../verbs/table.ts";
import { classify, toAppError } from "../connection/errors.ts";
import type { Core, ReadView } from "../core.ts";
import { isSliced, toEnd } from "../read/slices.ts";
import { IDLE_ANSWERS, SQLITE_VERBS } from "../verbs.ts";

/**
 * Runs calls in the order they came, all writes among them in one transaction. A call that throws does not fail its
 * neighbours: the group is rolled back and each call runs alone. Expected refusals are answers, not errors.
 */
export function runGroup(core: Core, calls: Call[], onFatal: (error: Error) => void): CallReply[] {
  const replies: CallReply[] = new Array(calls.length);
  const writes: number[] = [];
  for (const [i, { verb }] of calls.entries()) {
    if (VERBS[verb].mode === "write") writes.push(i);
  }
  if (!answerIdle(core, calls, writes, replies)) runWrites(core, calls, writes, replies, onFatal);
  for (const [i, call] of calls.entries()) {
    if (VERBS[call.verb].mode !== "write") replies[i] = attempt(() => read(core, call), core, onFatal);
  }
  return replies;
}

/** The one place where the name of a verb becomes a call of its function. */
export function runVerb(core: ReadView, { verb, args }: Call): unknown {
  return (SQLITE_VERBS[verb] as (core: ReadView, ...args: unknown[]) => unknown)(core, ...args);
}

function runWrites(
  core: Core,
  calls: Call[],
  writes: number[],
  replies: CallReply[],
  onFatal: (error: Error) => void,
): void {
  const run = (i: number) => runVerb(core, calls[i] as Call);
  try {
    // A claim between two jobs does not wait for the disk: if a power cut undoes it, its job is pending again.
    const durable = writes.some((i) => (VERBS[(calls[i] as Call).verb] as VerbTraits).durable);
    const answers = core.transact(() => writes.map(run), { durable });
    writes.forEach((i, n) => {
      replies[i] = { ok: answers[n] };
    });
  } catch (error) {
    // If the disk or the lock refused the group, it would refuse each of its calls.
    if (writes.length === 1 || classify(error) !== "other") {
      const reply = failed(error, core, onFatal);
      for (const i of writes) replies[i] = reply;
      return;
    }
    for (const i of writes) replies[i] = attempt(() => core.transact(() => run(i)), core, onFatal);
  }
}

/** Pools without work ask often. If a look shows that no call has anything to write, none of them takes the write lock. */
function answerIdle(core: Core, calls: Call[], writes: number[], replies: CallReply[]): boolean {
  const answers: CallReply[] = [];
  for (const i of writes) {
    const { verb, args } = calls[i] as Call;
    const idle = tryIdle(core, verb, args);
    if (!idle) return false;
    answers.push({ ok: idle.answer });
  }
  writes.forEach((i, n) => {
    replies[i] = answers[n] as CallReply;
  });
  return true;
}

type IdleAnswer = (core: Core, ...args: unknown[]) => { answer: unknown } | undefined;

function tryIdle(core: Core, verb: Verb, args: unknown[]): { answer: unknown } | undefined {
  try {
    return (IDLE_ANSWERS[verb] as IdleAnswer | undefined)?.(core, ...args);
  } catch {
    return undefined; // the transaction will meet the same error, and report it
  }
}

function read(core: Core, call: Call): unknown {
  const answer = runVerb(core, call);
  return isSliced(answer) ? toEnd(answer) : answer;
}

function attempt(work: () => unknown, core: Core, onFatal: (error: Error) => void): CallReply {
  try {
    return { ok: work() };
  } catch (error) {
    return failed(error, core, onFatal);
  }
}

function failed(error: unknown, core: Core, onFatal: (error: Error) => void): CallReply {
  const kind = classify(error);
  if (kind === "full") core.room.exhausted();
  const known = toAppError(error);
  if (kind === "fatal") onFatal(known);
  return { error: toErrorData(known) };
}
