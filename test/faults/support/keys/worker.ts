// A process that works on kinds with limits until it is killed. Each attempt appends a line to a file when it begins and when it
// ends, so the order of the lines is the order in which all processes did so.

import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Millrace, postgres, sqlite } from "../../../../packages/millrace/src/index.ts";
import { KINDS, LIMITS, type Limited } from "./limited-kinds.ts";

const [place = "", file = ""] = process.argv.slice(2);
const say = (line: string) => appendFileSync(file, `${line} ${process.pid}\n`);

const work = async (kind: string, { key, n }: Limited, attempt: number) => {
  say(`begin ${kind} ${key} ${n}`);
  await pause(Math.random() * 20);
  // A retry keeps or gives back the key: both must hold.
  const fails = attempt === 1 && n % 5 === 0;
  say(`${fails ? "fail" : "end"} ${kind} ${key} ${n}`);
  if (fails) throw new Error("the first attempt of every fifth job fails");
};

await Millrace.open({
  store: place.startsWith("postgres:") ? postgres(place) : sqlite(place),
  kinds: KINDS(work),
  limits: LIMITS,
  leaseMs: 1_000,
  processors: 8,
  pollMs: 50,
  maxCrashes: 1_000,
  retryBaseMs: 10,
  retryMaxMs: 50,
  log: false,
});
say("works");
