import { toErrorData } from "../../../lib/app-error.ts";
import type { Call, Reply, Verb } from "../../thread/calls.ts";
import { classify, toAppError } from "../connection/errors.ts";
import type { Core } from "../core.ts";
import { isSliced, toEnd } from "../read/slices.ts";
import { ALONE, IDLE_ANSWERS, LOOKS, READS, WRITES } from "../verbs.ts";

type AnyVerb = (core: Core, ...args: unknown[]) => unknown;

/**
 * Runs calls in the order they came, all writes among them in one transaction. One that throws takes none of its
 * neighbours along: the group is rolled back and each call runs alone. Expected refusals are answers, not errors.
 */
export function runGroup(core: Core, calls: Call[], onFatal: (error: Error) => void): Reply[] {
  const replies: Reply[] = new Array(calls.length);
  const writes: number[] = [];
  for (const [i, call] of calls.entries()) {
    if (call.verb in WRITES) writes.push(i);
  }
  if (!answerIdle(core, calls, writes, replies)) runWrites(core, calls, writes, replies, onFatal);
  for (const [i, call] of calls.entries()) {
    if (!(call.verb in WRITES)) replies[i] = attempt(() => read(core, call), core, onFatal);
  }
  return replies;
}

/**
 * Lost in a power cut they do no harm: the processor a claim or a renewal was for is gone as well, and the job is
 * pending again. So a claim between two jobs does not wait for the disk a second time.
 */
const FLEETING: ReadonlySet<Verb> = new Set(["claim", "confirm", "renew", "beat", "lead", "note", "markRead"]);

function runWrites(
  core: Core,
  calls: Call[],
  writes: number[],
  replies: Reply[],
  onFatal: (error: Error) => void,
): void {
  const run = (i: number) => {
    const call = calls[i] as Call;
    return (WRITES[call.verb as keyof typeof WRITES] as AnyVerb)(core, ...call.args);
  };
  try {
    const answers = core.transact(() => writes.map(run), {
      durable: writes.some((i) => !FLEETING.has((calls[i] as Call).verb)),
    });
    writes.forEach((i, n) => {
      replies[i] = { ok: answers[n] };
    });
  } catch (error) {
    // What the disk or the lock refused to the group it would refuse to each.
    if (writes.length === 1 || classify(error) !== "other") {
      const reply = failed(error, core, onFatal);
      for (const i of writes) replies[i] = reply;
      return;
    }
    for (const i of writes) replies[i] = attempt(() => core.transact(() => run(i)), core, onFatal);
  }
}

/** Pools without work ask often: when a look shows that no call has anything to write, none takes the write lock. */
function answerIdle(core: Core, calls: Call[], writes: number[], replies: Reply[]): boolean {
  const answers: Reply[] = [];
  for (const i of writes) {
    const { verb, args } = calls[i] as Call;
    const idle = tryIdle(core, verb, args);
    if (!idle) return false;
    answers.push({ ok: idle.answer });
  }
  writes.forEach((i, n) => {
    replies[i] = answers[n] as Reply;
  });
  return true;
}

function tryIdle(core: Core, verb: Verb, args: unknown[]): { answer: unknown } | undefined {
  try {
    return IDLE_ANSWERS[verb]?.(core, args);
  } catch {
    return undefined; // the transaction will meet the same error, and report it
  }
}

function readVerb(verb: Verb): AnyVerb {
  return { ...LOOKS, ...READS, ...ALONE }[verb as keyof typeof READS] as AnyVerb;
}

function read(core: Core, { verb, args }: Call): unknown {
  const answer = readVerb(verb)(core, ...args);
  return isSliced(answer) ? toEnd(answer) : answer;
}

function attempt(work: () => unknown, core: Core, onFatal: (error: Error) => void): Reply {
  try {
    return { ok: work() };
  } catch (error) {
    return failed(error, core, onFatal);
  }
}

function failed(error: unknown, core: Core, onFatal: (error: Error) => void): Reply {
  const kind = classify(error);
  if (kind === "full") core.room.exhausted();
  const known = toAppError(error);
  if (kind === "fatal") onFatal(known);
  return { error: toErrorData(known) };
}
