import type { PendingApproval } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { relative } from "../../output/format.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: {
    job: { type: "string", value: "<id>", doc: "only approvals of this job" },
    audience: { type: "string", value: "<name>", doc: "only approvals for this name; --json shows its links" },
    ...REMOTE,
  },
  examples: ["approvals", "approvals --job job_4fQ81xZa", "approvals --audience ann --json"],
  async run({ flags }) {
    const { job, audience } = flags;
    const filter = { ...(job !== undefined && { jobId: job }), ...(audience !== undefined && { audience }) };
    return withClient(flags, (client) => show(flags, () => client.approvals(filter), drawn));
  },
});

function drawn({ approvals }: { approvals: readonly PendingApproval[] }, now: number): string {
  if (approvals.length === 0) return "No approvals wait for a decision.";
  return table<PendingApproval>(
    [
      { title: "APPROVAL", value: ({ id }) => id },
      { title: "JOB", value: ({ jobId }) => jobId },
      { title: "QUESTION", value: ({ title }) => title, most: 60 },
      { title: "CHOICES", value: ({ choices }) => choices.join(", "), most: 40 },
      { title: "SINCE", value: ({ since }) => relative(since, now), align: "right" },
      { title: "UNTIL", value: ({ until }) => relative(until, now), align: "right" },
    ],
    approvals,
    process.stdout.columns,
  );
}
