// Works off a backlog and gives jobs per second, from the moment a tenth is done to the moment all are recorded as done.

import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { type OpenOptions, payloads } from "../../contenders/contender.ts";
import { open, type Who } from "../../contenders/open.ts";

const BATCH = 1_000;

export async function workOff(who: Who, dir: string, count: number, options: OpenOptions): Promise<number> {
  // bunqueue keeps its queue in memory: it may work in the same process that submitted, ours and plainjob open the file again.
  const { processors: _processors, ...toSubmit } = options;
  const submitter = await open(who, dir, toSubmit);
  for (let n = 0; n < count; n += BATCH) await submitter.submitMany(payloads(n, BATCH));
  if (!who.startsWith("bunqueue")) await submitter.close();

  let started = 0;
  let warmAt = 0;
  const warm = Math.floor(count / 10);
  const allStarted = Promise.withResolvers<void>();
  const worker = await open(who, dir, {
    ...options,
    run() {
      started++;
      if (started === warm) warmAt = performance.now();
      if (started === count) allStarted.resolve();
    },
  });
  await allStarted.promise;
  while ((await worker.completed()) < count) await turnOfTheLoop();
  const seconds = (performance.now() - warmAt) / 1_000;
  await worker.close();
  return (count - warm) / seconds;
}
