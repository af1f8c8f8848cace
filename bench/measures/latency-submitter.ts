import { setTimeout as pause } from "node:timers/promises";
import { now } from "../contenders/contender.ts";
import { open, type Who } from "../contenders/open.ts";

const [, , who, dir, count] = process.argv as [string, string, Who, string, string];
const queue = await open(who, dir);
for (let n = 0; n < Number(count); n++) {
  // Long enough for the other side to be idle again.
  await pause(8 + Math.random() * 8);
  await queue.submit({ n, at: now() });
}
await queue.close();
process.exit(0);
