import { setTimeout as pause } from "node:timers/promises";
import { now } from "../../contenders/contender.ts";
import { open, type Who } from "../../contenders/open.ts";

const [, , who, dir, count, gapMs] = process.argv as [string, string, Who, string, string, string];
const queue = await open(who, dir);
for (let n = 0; n < Number(count); n++) {
  await pause(Number(gapMs) * (0.7 + 0.6 * Math.random()));
  await queue.submit({ n, at: now() });
}
await queue.close();
process.exit(0);
