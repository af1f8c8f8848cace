import type { Tenant } from "../../client/index.ts";
import { defineCommand } from "../arguments/command.ts";
import { REMOTE, WATCH } from "../arguments/flags.ts";
import { withClient } from "../connect.ts";
import { limitsInWords } from "../output/limits.ts";
import { show } from "../output/show.ts";
import { table } from "../output/table.ts";

export const command = defineCommand({
  flags: { ...WATCH, ...REMOTE },
  examples: ["tenants --watch"],
  async run({ flags }) {
    return withClient(flags, (client) => show(flags, async () => ({ tenants: await client.tenants() }), drawn));
  },
});

function drawn({ tenants }: { tenants: readonly Tenant[] }): string {
  if (tenants.length === 0) return "No tenant has submitted work yet.";
  return table<Tenant>(
    [
      { title: "TENANT", value: ({ tenant }) => tenant, most: 64 },
      { title: "RUNNING", value: ({ running }) => running, align: "right" },
      { title: "PENDING", value: ({ pending }) => pending, align: "right" },
      { title: "LIMITS", value: ({ limits }) => (limits ? limitsInWords(limits) : ""), stretch: true, most: 60 },
    ],
    tenants,
    process.stdout.columns,
  );
}
