import type { SiteSummary } from "../../../client/index.ts";
import { defineCommand } from "../../command.ts";
import { withClient } from "../../connect.ts";
import { REMOTE, whole } from "../../flags.ts";
import { oneLine, relative } from "../../output/format.ts";
import { show } from "../../output/show.ts";
import { type Column, table } from "../../output/table.ts";

const columns = (now: number): Column<SiteSummary>[] => [
  { title: "ID", value: ({ jobId }) => jobId },
  { title: "SITE", value: ({ url }) => url, most: 40 },
  { title: "STATUS", value: ({ status, waitsFor }) => (waitsFor ? `${status}, waits for ${waitsFor}` : status) },
  { title: "CREATED", value: ({ createdAt }) => relative(createdAt, now) },
  { title: "FOUND", value: ({ error, headline }) => oneLine(error ?? headline ?? ""), stretch: true },
];

export const command = defineCommand({
  flags: {
    domain: { type: "string", value: "<domain>", doc: "of this site alone" },
    limit: { type: "string", value: "<n>", doc: "at most so many (50)" },
    ...REMOTE,
  },
  examples: ["sites list", "sites list --domain example.com"],
  async run({ flags }) {
    const query = {
      ...(flags.domain !== undefined && { domain: flags.domain }),
      ...(flags.limit !== undefined && { limit: whole("limit", flags.limit, { min: 1, max: 500 }) }),
    };
    return withClient(flags, (client) =>
      show(
        flags,
        () => client.sites.list(query),
        ({ sites }, now) => (sites.length === 0 ? "No runs." : table(columns(now), sites, process.stdout.columns)),
      ),
    );
  },
});
