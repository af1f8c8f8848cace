import { defineCommand, UsageError } from "../../arguments/command.ts";
import { DRY_RUN, FILTER, filterOf, given, oneOf, REMOTE, STATUS } from "../../arguments/flags.ts";
import { jsonArgument } from "../../arguments/json-argument.ts";
import { withClient } from "../../connect.ts";
import { targetOf, tellMany } from "../../many.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["[id...]"],
  flags: {
    payload: { type: "string", value: "<json|@file|->", doc: "replace the payload; only with one id" },
    from: {
      type: "string",
      value: "<stage>",
      choices: ["failed-stage", "start"],
      doc: "first stage to run: failed-stage (default) or start; only with one id",
    },
    ...STATUS,
    ...FILTER,
    ...DRY_RUN,
    ...REMOTE,
  },
  examples: [
    `jobs retry job_4fQ81xZa --payload '{"text": "fine now"}'`,
    "jobs retry --status failed --since 1h --dry-run",
  ],
  async run({ args: ids, flags }) {
    const { "dry-run": dryRun } = flags;
    const target = targetOf(ids, filterOf(flags));
    const payload = flags.payload === undefined ? undefined : jsonArgument("The payload", flags.payload);
    const from = flags.from === undefined ? undefined : oneOf("from", flags.from, ["failed-stage", "start"]);
    const [id, ...others] = ids;
    const single = id !== undefined && others.length === 0 && !dryRun;
    if (!single && (payload !== undefined || from !== undefined)) {
      throw new UsageError("--payload and --from need exactly one id, and no --dry-run.");
    }
    return withClient(flags, async (client) => {
      if (!single) {
        const answer = await client.retryMany({ ...target, ...given({ dryRun }) });
        return tellMany(flags, answer, "revived", id === undefined ? undefined : ids);
      }
      const job = await client.retry(id, given({ payload, from }));
      return tell(flags, job, `${job.jobId}  ${job.status}, retry of ${id}`);
    });
  },
});
