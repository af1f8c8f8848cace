import { defineCommand } from "../command.ts";
import { withClient } from "../connect.ts";
import { duration, given, moment, REMOTE, whole } from "../flags.ts";
import { jsonArgument } from "../json-argument.ts";
import { relative } from "../output/format.ts";
import { tell } from "../output/show.ts";
import { waitForJob } from "../wait-for-job.ts";

export const command = defineCommand({
  args: ["<kind>", "<json|@file|->"],
  flags: {
    priority: { type: "string", value: "<n>", doc: "lower goes first" },
    delay: { type: "string", value: "<span>", doc: "run after this: 90s, 10m, 2h, 7d" },
    "run-at": { type: "string", value: "<time>", doc: "run then" },
    "max-retries": { type: "string", value: "<n>", doc: "attempts per stage, the first included" },
    timeout: { type: "string", value: "<span>", doc: "time for one attempt" },
    expires: { type: "string", value: "<span>", doc: "not started by then, it fails rather than waiting on" },
    tag: { type: "string", multiple: true, value: "<tag>", doc: "may be given several times" },
    key: { type: "string", value: "<key>", doc: "idempotency key: the same again gives the first job again" },
    trace: { type: "string", value: "<id>", doc: "trace id that goes with the job" },
    wait: { type: "boolean", doc: "wait for the result and print it; exit code 6 if the job fails" },
    ...REMOTE,
  },
  examples: [
    `submit text '{"text": "hello"}' --wait`,
    "submit thumbnail @payload.json --priority 5 --tag nightly",
    "submit report - --delay 10m --key report-2026-11-15 < report.json",
  ],
  async run({ args: [kind = "", text = ""], flags }) {
    const payload = jsonArgument("The payload", text);
    const spans = { delay: flags.delay, timeout: flags.timeout, expires: flags.expires };
    const ms = (name: keyof typeof spans) => (spans[name] === undefined ? undefined : duration(name, spans[name]));
    const number = (name: "priority" | "max-retries", min: number, max: number) =>
      flags[name] === undefined ? undefined : whole(name, flags[name], { min, max });
    const options = given({
      priority: number("priority", -1_000_000, 1_000_000),
      maxRetries: number("max-retries", 1, 1_000),
      delayMs: ms("delay"),
      timeoutMs: ms("timeout"),
      expiresInMs: ms("expires"),
      runAt: flags["run-at"] === undefined ? undefined : moment("run-at", flags["run-at"], Date.now(), 1),
      tags: flags.tag,
      idempotencyKey: flags.key,
      traceId: flags.trace,
    });
    return withClient(flags, async (client) => {
      const job = await client.submit(kind, payload, options);
      if (flags.wait) return waitForJob(client, job.jobId, flags);
      const later = Date.parse(job.runAt) > Date.now() + 1_000 ? `, runs ${relative(job.runAt, Date.now())}` : "";
      return tell(flags, job, `${job.jobId}  ${job.status}${later}`);
    });
  },
});
