// Three jobs at once: one throws in a timer, one leaves a rejection unhandled, one is innocent. Prints how each ended.

import { z } from "zod";
import { defineKind, Millrace, sqlite } from "../../../packages/millrace/src/index.ts";
import { scaled } from "../../support/slowness.ts";

const [how = "timer"] = process.argv.slice(2);
const innocent = Promise.withResolvers<void>();
const kind = defineKind({
  name: "k",
  payload: z.string(),
  maxAttempts: 1,
  run: (_ctx, which) => {
    if (which === "timer")
      setTimeout(() => {
        throw new Error("thrown in a timer");
      }, 10);
    if (which === "rejection") setTimeout(() => void Promise.reject(new Error("nobody caught it")), 10);
    return which === "innocent" ? innocent.promise.then(() => "fine") : new Promise(() => {});
  },
});
const millrace = await Millrace.open({ store: sqlite(":memory:"), kinds: [kind] });
const names = how === "timer" ? ["innocent", "timer"] : ["rejection"];
const jobs = new Map(await Promise.all(names.map(async (name) => [name, await millrace.submit(kind, name)] as const)));
const guilty = await jobs
  .get(how)
  ?.wait({ timeoutMs: scaled(10_000) })
  .catch((error: Error) => error.message);
innocent.resolve();
const fine = await jobs.get("innocent")?.wait({ timeoutMs: scaled(10_000) });
const after = await (await millrace.submit(kind, "innocent")).wait({ timeoutMs: scaled(10_000) });
console.log(JSON.stringify({ guilty, fine, after }));
await millrace.stop({ graceMs: 0 });
process.exit(0);
