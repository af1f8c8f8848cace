import { defineCommand } from "../../arguments/command.ts";
import { DRY_RUN, FILTER, filterOf, given, REMOTE, STATUS } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { targetOf, tellMany } from "../../many.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["[id...]"],
  flags: {
    reason: { type: "string", value: "<text>", doc: "reason, shown with the job and given to its processor" },
    ...STATUS,
    ...FILTER,
    ...DRY_RUN,
    ...REMOTE,
  },
  examples: [
    `jobs cancel job_4fQ81xZa --reason "no longer needed"`,
    "jobs cancel --kind text --status pending --dry-run",
  ],
  async run({ args: ids, flags }) {
    const { reason, "dry-run": dryRun } = flags;
    const target = targetOf(ids, filterOf(flags));
    return withClient(flags, async (client) => {
      const [id, ...others] = ids;
      if (id !== undefined && others.length === 0 && !dryRun) {
        const job = await client.cancel(id, given({ reason }));
        return tell(flags, job, `${job.jobId}  ${job.status}`);
      }
      const answer = await client.cancelMany({ ...target, ...given({ reason, dryRun }) });
      return tellMany(flags, answer, "cancelled", id === undefined ? undefined : ids);
    });
  },
});
