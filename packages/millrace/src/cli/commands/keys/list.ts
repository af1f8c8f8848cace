import type { Key } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { relative } from "../../output/format.ts";
import { show } from "../../output/show.ts";
import { table } from "../../output/table.ts";

export const command = defineCommand({
  flags: REMOTE,
  examples: ["keys list", "keys list --db ./data/jobs.db"],
  async run({ flags }) {
    return withClient(flags, (client) => show(flags, async () => ({ keys: await client.keys.list() }), drawn));
  },
});

function drawn({ keys }: { keys: readonly Key[] }, now: number): string {
  if (keys.length === 0) return "No keys. Create one: millrace keys create --help";
  return table<Key>(
    [
      { title: "KEY", value: ({ id }) => id },
      { title: "NAME", value: ({ name }) => name, most: 40 },
      { title: "TENANT", value: ({ tenant }) => tenant, most: 30 },
      { title: "SCOPES", value: ({ scopes }) => scopes.join(",") },
      {
        title: "STATE",
        value: (key) => stateOf(key, now),
        style: (key) => (stateOf(key, now) === "valid" ? "green" : "dim"),
      },
      { title: "CREATED", value: ({ createdAt }) => relative(createdAt, now), align: "right" },
      { title: "EXPIRES", value: ({ expiresAt }) => relative(expiresAt, now), align: "right" },
    ],
    keys,
    process.stdout.columns,
  );
}

function stateOf({ revokedAt, expiresAt }: Key, now: number): string {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? "expired" : "valid";
}
