import { printConfig, shownSettings } from "../../config/print.ts";
import { defineCommand } from "../arguments/command.ts";
import { REMOTE } from "../arguments/flags.ts";
import { withClient } from "../connect.ts";
import { loadConfigOrComplain } from "../load.ts";
import { show } from "../output/show.ts";
import { projectWorkloads } from "../workloads.ts";

export const command = defineCommand({
  flags: {
    ...REMOTE,
    remote: { type: "boolean", doc: "print the settings of the running server instead of this folder's" },
  },
  examples: ["config", "config --remote --json"],
  async run({ flags }) {
    if (flags.remote || flags.url !== undefined) {
      return withClient(flags, (client) => show(flags, async () => ({ settings: await client.config() }), printed));
    }
    const config = loadConfigOrComplain({ listens: false, workloads: await projectWorkloads() });
    return show(
      flags,
      async () => ({ settings: shownSettings(config) }),
      () => printConfig(config).trimEnd(),
    );
  },
});

function printed({ settings }: { settings: readonly { name: string; value: string }[] }): string {
  return settings.map(({ name, value }) => `${name}=${value}`).join("\n");
}
