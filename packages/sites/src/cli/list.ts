import {
  defineCommand,
  oneLine,
  REMOTE,
  relative,
  show,
  type TableColumn,
  table,
  whole,
  withClient,
} from "millrace/cli";
import type { SiteSummary } from "../api/site-shapes.ts";
import { sites } from "../client.ts";

const columns = (now: number): TableColumn<SiteSummary>[] => [
  { title: "ID", value: ({ jobId }) => jobId },
  { title: "SITE", value: ({ url }) => url, most: 40 },
  { title: "STATUS", value: ({ status, waitsFor }) => (waitsFor ? `${status}, waits for ${waitsFor}` : status) },
  { title: "CREATED", value: ({ createdAt }) => relative(createdAt, now) },
  { title: "FOUND", value: ({ error, headline }) => oneLine(error ?? headline ?? ""), stretch: true },
];

export const command = defineCommand({
  flags: {
    domain: { type: "string", value: "<domain>", doc: "only runs of this site" },
    limit: { type: "string", value: "<n>", doc: "limit (default 50, at most 500)" },
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
        () => client.with(sites).sites.list(query),
        ({ sites }, now) => (sites.length === 0 ? "No runs." : table(columns(now), sites, process.stdout.columns)),
      ),
    );
  },
});
