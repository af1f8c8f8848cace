import type { Client, InstanceInfo, PoolInfo } from "../../client/index.ts";
import { defineCommand } from "../arguments/command.ts";
import { REMOTE, WATCH } from "../arguments/flags.ts";
import { withClient } from "../connect.ts";
import { duration, relative } from "../output/format.ts";
import { styleOf } from "../output/paint.ts";
import { show } from "../output/show.ts";
import { table } from "../output/table.ts";

export const command = defineCommand({
  flags: { ...WATCH, ...REMOTE },
  about: "Lists the pools, then the processors that are not idle, then the processes without pools.",
  examples: ["pools", "pools --watch"],
  async run({ flags }) {
    const look = async (client: Client) => ({ pools: await client.pools(), instances: await client.instances() });
    return withClient(flags, (client) => show(flags, () => look(client), drawn));
  },
});

function drawn(
  { pools, instances }: { pools: readonly PoolInfo[]; instances: readonly InstanceInfo[] },
  now: number,
): string {
  const others = instances.filter((each) => each.pools.length === 0).map((each) => quietLine(each, now));
  return [poolTables(pools, now), ...others].join("\n");
}

function quietLine({ instance, seenAt }: InstanceInfo, now: number): string {
  return `${instance} has no pools, seen ${relative(seenAt, now)}.`;
}

function poolTables(pools: readonly PoolInfo[], now: number): string {
  if (pools.length === 0) return "No pools: no worker is running. Start one: millrace serve or millrace work.";
  const count = (state: string) => (pool: PoolInfo) => pool.processors.filter((each) => each.state === state).length;
  const overview = table<PoolInfo>(
    [
      { title: "POOL", value: ({ pool }) => pool, most: 40 },
      { title: "INSTANCE", value: ({ instance }) => instance, most: 30 },
      { title: "SIZE", value: ({ size }) => size, align: "right" },
      { title: "IDLE", value: count("idle"), align: "right" },
      { title: "BUSY", value: count("busy"), align: "right" },
      {
        title: "ERROR",
        value: count("error"),
        align: "right",
        style: (pool) => (count("error")(pool) ? "red" : undefined),
      },
      { title: "WAITING", value: ({ queueSize }) => queueSize, align: "right" },
      { title: "SEEN", value: ({ seenAt }) => relative(seenAt, now), align: "right" },
    ],
    pools,
    process.stdout.columns,
  );
  const busy = pools.flatMap(({ pool, instance, processors }) =>
    processors.filter(({ state }) => state !== "idle").map((processor) => ({ pool, instance, ...processor })),
  );
  return busy.length === 0 ? overview : `${overview}\n\n${processorTable(busy, now)}`;
}

function processorTable(
  rows: readonly (PoolInfo["processors"][number] & { pool: string; instance: string })[],
  now: number,
) {
  return table<(typeof rows)[number]>(
    [
      { title: "POOL", value: ({ pool }) => pool, most: 40 },
      { title: "INSTANCE", value: ({ instance }) => instance, most: 30 },
      { title: "SLOT", value: ({ slot }) => slot, align: "right" },
      { title: "STATE", value: ({ state }) => state, style: ({ state }) => styleOf(state) },
      { title: "JOB", value: ({ jobId }) => jobId },
      { title: "TENANT", value: ({ tenant }) => tenant, most: 20 },
      { title: "FOR", value: ({ since }) => since && duration(Math.max(0, now - Date.parse(since))), align: "right" },
      { title: "REASON", value: ({ reason }) => reason, stretch: true },
    ],
    rows,
    process.stdout.columns,
  );
}
