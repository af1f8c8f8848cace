// How slow this machine is at the moment. Every time limit in a test is multiplied by it (test/support/slowness.ts).

import { availableParallelism, loadavg } from "node:os";
import { deflateSync } from "node:zlib";

// What the reference work takes on a quiet machine with processors of 2024 (AMD EPYC: 90 ms).
const REFERENCE_MS = 100;
// Below this the machine counts as quiet. Above, load comes and goes: twice the measured slowness is allowed.
const QUIET = 1.5;
const GENEROSITY = 2;
// The reference work may meet a quiet moment, or run before others that gave up their priority. So the programs that wanted a
// processor in the last minute count too. A test file of ours has up to two of them at work.
const PROGRAMS_OF_A_FILE = 2;
// Some tests wait for a share of their limits, so a limit that is too long costs time. The load alone does not give more than this.
const MOST_BY_LOAD = 4;
// A test that hangs is still found within 20 minutes.
const MOST = 10;
// Load that came during a run counts for the files that start after it.
const KEEP_MS = 15_000;

const work = sample(4_000_000);
let last = { at: Number.NEGATIVE_INFINITY, slowness: 1 };

/**
 * 1 on a quiet machine, never less.
 * @param {{ share?: number, now?: () => number, load?: () => number }} options `share`: how many test files of our own run for
 *   each processor, since the limits allow for those already. `load`: programs that want a processor, for each processor.
 */
export function slowness({ share = 1, now = () => performance.now(), load = loadOfMachine } = {}) {
  if (now() - last.at < KEEP_MS) return last.slowness;
  const startedAt = now();
  deflateSync(work);
  const measured = (now() - startedAt) / REFERENCE_MS / Math.max(1, share);
  const waiting = load() / PROGRAMS_OF_A_FILE / Math.max(1, share);
  const byTime = measured < QUIET ? 1 : Math.min(MOST, Math.ceil(measured * GENEROSITY));
  const byLoad = waiting < QUIET ? 1 : Math.min(MOST_BY_LOAD, Math.ceil(waiting * GENEROSITY));
  last = { at: now(), slowness: Math.max(byTime, byLoad) };
  return last.slowness;
}

function loadOfMachine() {
  return (loadavg()[0] ?? 0) / availableParallelism();
}

/** Text that compresses a little, the same in every run. */
function sample(bytes) {
  const text = Buffer.alloc(bytes);
  for (let at = 0, state = 1; at < bytes; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    text[at] = 97 + ((state >> 16) % 20);
  }
  return text;
}
