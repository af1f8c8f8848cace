import type { Deployment } from "../../../client/index.ts";
import { defineCommand } from "../../command.ts";
import { withClient } from "../../connect.ts";
import { REMOTE, WATCH } from "../../flags.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: { ...WATCH, ...REMOTE },
  about: "The newest first. A drained deployment can be removed: stopping its processes leaves no job behind.",
  examples: ["deployments"],
  async run({ flags }) {
    return withClient(flags, (client) => show(flags, async () => ({ deployments: await client.deployments() }), drawn));
  },
});

function drawn({ deployments }: { deployments: readonly Deployment[] }): string {
  if (deployments.length === 0) return "No deployment yet. Start a server, or millrace work.";
  return table<Deployment>(
    [
      { title: "LABEL", value: ({ label }) => label, most: 40 },
      { title: "NUMBER", value: ({ number }) => number, align: "right" },
      { title: "PROCESSES", value: ({ processes }) => processes.length, align: "right" },
      { title: "PENDING", value: ({ jobs }) => jobs.pending, align: "right" },
      { title: "RUNNING", value: ({ jobs }) => jobs.running, align: "right" },
      { title: "STATE", value: stateOf, style: (row) => (stateOf(row) === "stranded" ? "yellow" : "green") },
      { title: "KINDS", value: ({ plans }) => [...new Set(plans.map(({ kind }) => kind))].join(", "), most: 60 },
    ],
    deployments,
    process.stdout.columns,
  );
}

/** Stranded: jobs wait that only its processes could take, and it has none. */
function stateOf({ removable, processes, jobs }: Deployment): string {
  if (removable) return "drained";
  return processes.length === 0 && jobs.pending > 0 ? "stranded" : "working";
}
