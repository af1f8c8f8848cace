// A process that writes records until it is killed. A line is printed after each answer, and before the next write.

import { writeSync } from "node:fs";
import { Millrace, postgres, sqlite } from "../../../../packages/millrace/src/index.ts";

const [place = "", name = ""] = process.argv.slice(2);
const LANES = 8;
const store = place.startsWith("postgres:") ? postgres(place) : sqlite(place);
const millrace = await Millrace.open({ store, log: false });
const records = millrace.records<number>("numbers");

await Promise.all(Array.from({ length: LANES }, (_, lane) => write(`${name}.${lane}`)));

async function write(key: string): Promise<never> {
  for (let count = 1; ; count++) {
    const { version } = await records.put(key, count);
    writeSync(1, `put ${key} ${count} ${version}\n`);
    const total = await records.update("total", (before = 0) => before + 1);
    writeSync(1, `added ${total?.value}\n`);
  }
}
