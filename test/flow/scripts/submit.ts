// A process of its own that submits and leaves: `submit.ts <path> <count>` prints the ids.

import { z } from "zod";
import { defineKind, Millrace, sqlite } from "../../../packages/millrace/src/index.ts";

const [path = "", count = "1"] = process.argv.slice(2);
const echo = defineKind({ name: "echo", payload: z.number(), run: (_ctx, n) => n });
const millrace = await Millrace.open({ store: sqlite(path), kinds: [echo], work: false });
const jobs = await millrace.submitMany(
  echo,
  Array.from({ length: Number(count) }, (_, n) => n),
);
console.log(JSON.stringify(jobs.map((job) => job.id)));
await millrace.stop();
