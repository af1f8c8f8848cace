// A workload with routes, settings, commands and findings of its own.

import { defineCommand, EXIT, REMOTE, SUBMISSION, submissionOf, table, WATCH, withClient } from "millrace/cli";
import { integer, oneOf, secret, setting, yesNo } from "millrace/settings";
import { jobShapesOf, route, shapesOf } from "millrace/shapes";
import { bind, defineWorkload, ERRORS, MissLimit, ok } from "millrace/workload";
import { z } from "zod";
import { kinds } from "./kinds.ts";

export const settings = {
  size: setting("MY_SIZE", integer({ min: 1 }), 3, "How many."),
  mode: setting("MY_MODE", oneOf("a", "b"), "a", "Which."),
  quick: setting("MY_QUICK", yesNo, false, "Whether."),
  key: secret("MY_KEY", (text) => ({ value: text }), "The key."),
};
export const shapes = shapesOf(z);
export const jobShapes = jobShapesOf(z, { JobId: shapes.JobId, Moment: shapes.Moment });
export const hello = route({
  method: "GET",
  path: "/hello/{name}",
  tag: "hello",
  summary: "Says hello.",
  access: "read",
  params: z.object({ name: z.string() }),
  answer: z.object({ text: z.string() }),
  status: 200,
});
export const routes = [
  bind(hello, async ({ params, caller }) => ({ body: { text: `${params.name} ${caller.name}` } })),
];
export const misses = new MissLimit({ most: 10, perMs: 60_000, now: () => Date.now() });
export const command = defineCommand({
  flags: { ...REMOTE, ...SUBMISSION, ...WATCH },
  examples: ["hello"],
  run: async ({ flags }) => {
    await withClient(flags, async (client) => client.submit("whole", {}, submissionOf(flags)));
    return EXIT.ok;
  },
});
export const report = table([{ title: "NAME", value: (row: { name: string }) => row.name }], []);
export const errors = ERRORS;
export const findings = [ok("hello", "It works.")];
export const mine = defineWorkload({
  name: "mine",
  settings,
  kinds: (setup) => (setup.settings.size > 0 ? kinds : []),
  routes: () => routes,
  doctor: () => findings,
  commands: [{ name: "hello", summary: "say hello", load: async () => ({ command }) }],
});
