import { printConfig, shownSettings } from "../../config/print.ts";
import { defineCommand } from "../command.ts";
import { withClient } from "../connect.ts";
import { REMOTE } from "../flags.ts";
import { loadConfigOrComplain } from "../load.ts";
import { show } from "../output/show.ts";

export const command = defineCommand({
  flags: { ...REMOTE, remote: { type: "boolean", doc: "those of the running server, not of this folder" } },
  examples: ["config", "config --remote --json"],
  async run({ flags }) {
    if (flags.remote || flags.url !== undefined) {
      return withClient(flags, (client) => show(flags, () => client.config(), printed));
    }
    const config = loadConfigOrComplain({ listens: false });
    return show(
      flags,
      async () => shownSettings(config),
      () => printConfig(config).trimEnd(),
    );
  },
});

function printed(settings: readonly { readonly name: string; readonly value: string }[]): string {
  return settings.map(({ name, value }) => `${name}=${value}`).join("\n");
}
