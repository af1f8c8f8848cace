import { defineCommand, UsageError } from "../../arguments/command.ts";
import { given, REMOTE } from "../../arguments/flags.ts";
import { jsonArgument } from "../../arguments/json-argument.ts";
import { SUBMISSION, submissionOf } from "../../arguments/submission.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

const { priority, tag, "run-at": runAt } = SUBMISSION;

export const command = defineCommand({
  args: ["<id>"],
  flags: {
    payload: { type: "string", value: "<json|@file|->", doc: "another payload; only if the job has never started" },
    "run-at": runAt,
    priority,
    tag: { ...tag, doc: "replace all tags by this one; repeatable" },
    ...REMOTE,
  },
  examples: ["jobs update job_4fQ81xZa --priority -10", `jobs update job_4fQ81xZa --payload '{"text": "fine now"}'`],
  async run({ args: [id = ""], flags }) {
    const payload = flags.payload === undefined ? undefined : jsonArgument("The payload", flags.payload);
    const { runAt, priority, tags } = submissionOf(flags);
    const change = given({ payload, runAt, priority, tags });
    if (Object.keys(change).length === 0) {
      throw new UsageError("Nothing to change. Give --payload, --run-at, --priority or --tag.");
    }
    return withClient(flags, async (client) => {
      const job = await client.update(id, change);
      return tell(flags, job, `${job.jobId}  ${job.status}`);
    });
  },
});
