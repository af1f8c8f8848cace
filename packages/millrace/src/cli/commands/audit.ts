import type { AuditEntry } from "../../client/index.ts";
import { defineCommand } from "../arguments/command.ts";
import { REMOTE, whole } from "../arguments/flags.ts";
import { withClient } from "../connect.ts";
import { relative } from "../output/format.ts";
import { show } from "../output/show.ts";
import { table } from "../output/table.ts";

export const command = defineCommand({
  flags: { limit: { type: "string", value: "<n>", doc: "limit (default 50, at most 500)" }, ...REMOTE },
  examples: ["audit --limit 20"],
  async run({ flags }) {
    const limit = whole("limit", flags.limit ?? "50", { min: 1, max: 500 });
    return withClient(flags, (client) => show(flags, async () => ({ entries: await client.audit({ limit }) }), drawn));
  },
});

function drawn({ entries }: { entries: readonly AuditEntry[] }, now: number): string {
  if (entries.length === 0) return "No administrative action yet.";
  return table<AuditEntry>(
    [
      { title: "WHEN", value: ({ at }) => relative(at, now), align: "right" },
      { title: "WHO", value: ({ who }) => who, most: 40 },
      { title: "WHAT", value: ({ what }) => what, most: 40 },
      { title: "TARGET", value: ({ target }) => target, most: 40 },
      { title: "TENANT", value: ({ tenant }) => tenant, most: 30 },
      { title: "TRACE", value: ({ traceId }) => traceId, stretch: true },
    ],
    entries,
    process.stdout.columns,
  );
}
