import type { Client } from "../../client/index.ts";
import { defineCommand } from "../arguments/command.ts";
import { given, REMOTE } from "../arguments/flags.ts";
import { jsonArgument } from "../arguments/json-argument.ts";
import { SUBMISSION, submissionOf } from "../arguments/submission.ts";
import { withClient } from "../connect.ts";
import { relative } from "../output/format.ts";
import { tell } from "../output/show.ts";
import { waitForJob } from "../wait-for-job.ts";

export const command = defineCommand({
  args: ["<kind>", "<json|@file|->"],
  flags: {
    ...SUBMISSION,
    key: { type: "string", value: "<key>", doc: "idempotency key: a repeated submission returns the first job" },
    trace: { type: "string", value: "<id>", doc: "trace id to store with the job" },
    wait: { type: "boolean", doc: "wait for the result and print it; exit code 6 if the job fails" },
    ...REMOTE,
  },
  about:
    "The payload is JSON, @file to read a file, or - to read standard input.\nWith --db the kind must be registered by a worker in that store, and the payload is checked when the job runs.",
  examples: [
    `submit text '{"text": "hello"}' --wait`,
    "submit thumbnail @payload.json --priority 5 --tag nightly",
    "submit report - --delay 10m --key report-2026-11-15 < report.json",
  ],
  async run({ args: [kind = "", text = ""], flags }) {
    const payload = jsonArgument("The payload", text);
    const options = {
      ...submissionOf(flags),
      ...given({
        idempotencyKey: flags.key,
        traceId: flags.trace,
      }),
    };
    const submitted = async (client: Client) => {
      const job = await client.submit(kind, payload, options);
      if (flags.wait) return waitForJob(client, job.jobId, flags);
      const later = Date.parse(job.runAt) > Date.now() + 1_000 ? `, runs ${relative(job.runAt, Date.now())}` : "";
      return tell(flags, job, `${job.jobId}  ${job.status}${later}`);
    };
    return withClient(flags, submitted, { submits: true });
  },
});
