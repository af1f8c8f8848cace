import { defineCommand, given, oneLine, REMOTE, tell, UsageError, withClient } from "millrace/cli";
import { type SiteTrack, type SiteTrackSummary, sites } from "../client.ts";
import { siteBudget } from "./site-budget.ts";

export const command = defineCommand({
  args: ["[name]", "[url]"],
  flags: {
    every: {
      type: "string",
      value: "<rhythm>",
      doc: "7d, 12h or a cron expression in UTC; creates or replaces the track",
    },
    prompt: { type: "string", multiple: true, value: "<text>", doc: "prompt of every run; repeatable" },
    model: { type: "string", multiple: true, value: "<provider/model>", doc: "model to ask; repeatable" },
    competitor: { type: "string", multiple: true, value: "<name>", doc: "competitor to look for; repeatable" },
    "web-search": { type: "boolean", doc: "let models search the web before they answer" },
    alert: { type: "string", value: "<url>", doc: "address that gets a POST for each change outside the noise" },
    calls: { type: "string", value: "<n>", doc: "budget of each run: model calls" },
    tokens: { type: "string", value: "<n>", doc: "budget of each run: tokens" },
    usd: { type: "string", value: "<amount>", doc: "budget of each run: US dollars" },
    delete: { type: "boolean", doc: "delete the track with its trend; its runs are kept" },
    ...REMOTE,
  },
  examples: [
    "sites track",
    "sites track bakery example.com --every 7d --prompt 'Which bakery in Bristol bakes rye bread?'",
    "sites track bakery",
    "sites track bakery --delete",
  ],
  async run({ args: [name, url], flags }) {
    return withClient(flags, async (client) => {
      const { tracks } = client.with(sites).sites;
      if (name === undefined) {
        const all = await tracks.list();
        return tell(flags, all, all.length === 0 ? "There are no tracks." : all.map(line).join("\n"));
      }
      if (flags.delete) {
        await tracks.delete(name);
        return tell(flags, { name, deleted: true }, `${name} is deleted.`);
      }
      if (url === undefined) {
        const track = await tracks.get(name);
        return tell(flags, track, drawn(track));
      }
      if (flags.every === undefined) throw new UsageError("A track needs --every, such as --every 7d.");
      const track = await tracks.put(name, {
        url,
        every: flags.every,
        ...given({
          prompts: flags.prompt,
          models: flags.model,
          competitors: flags.competitor?.map((each) => ({ name: each })),
          webSearch: flags["web-search"],
          alertUrl: flags.alert,
          budget: siteBudget(flags),
        }),
      });
      return tell(flags, track, drawn(track));
    });
  },
});

function line({ name, url, every, latest: last }: Pick<SiteTrackSummary, "name" | "url" | "every" | "latest">): string {
  return `${name}  ${oneLine(url)}  every ${every}  ${last ? `${last.k} of ${last.n}` : "no run yet"}`;
}

function drawn(track: SiteTrack): string {
  const { trend, changes, nextAt, lastRun } = track;
  return [
    line({ ...track, ...given({ latest: trend.findLast(({ model }) => model === "all") }) }),
    ...(nextAt === undefined ? [] : [`next look ${nextAt}`]),
    ...(lastRun?.error === undefined ? [] : [`the last run failed: ${oneLine(lastRun.error)}`]),
    ...trend.map(
      ({ at, model, k, n, low, high, newVersion, version = "" }) =>
        `${at.slice(0, 10)}  ${model}  ${k} of ${n} (${Math.round(low * 100)} to ${Math.round(high * 100)} %)${newVersion ? `  new version ${version}` : ""}`,
    ),
    ...changes.flatMap(({ at, changes: all }) =>
      all.map(({ label, before, after }) => `${at.slice(0, 10)}  changed: ${label}, ${before} → ${after}`),
    ),
  ].join("\n");
}
