import { deploymentState } from "../../../client/deployment-state.ts";
import type { Deployment } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE, WATCH } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: { ...WATCH, ...REMOTE },
  about: "Newest first. You can stop the processes of a drained deployment: no job needs them.",
  examples: ["deployments"],
  async run({ flags }) {
    return withClient(flags, (client) => show(flags, async () => ({ deployments: await client.deployments() }), drawn));
  },
});

function drawn({ deployments }: { deployments: readonly Deployment[] }): string {
  if (deployments.length === 0) return "No deployment yet. Start a worker: millrace serve or millrace work.";
  const stateOf = (deployment: Deployment) => deploymentState(deployment, deployments);
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
