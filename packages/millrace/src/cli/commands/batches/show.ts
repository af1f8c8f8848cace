import type { BatchInfo } from "../../../client/index.ts";
import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";
import { pause } from "../../pause.ts";

const LOOK_EVERY_MS = 500;
const WIDTH = 24;

export const command = defineCommand({
  args: ["<id>"],
  flags: { wait: { type: "boolean", doc: "wait until the batch has ended, with a progress bar" }, ...REMOTE },
  examples: ["batches show batch_4fQ81xZa", "batches show batch_4fQ81xZa --wait"],
  async run({ args: [id = ""], flags }) {
    return withClient(flags, async (client) => {
      let batch = await client.batch(id);
      while (flags.wait && batch.state !== "ended") {
        if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${bar(batch)}`);
        await pause(LOOK_EVERY_MS);
        batch = await client.batch(id);
      }
      if (flags.wait && process.stderr.isTTY) process.stderr.write("\r\u001b[K");
      return tell(flags, batch, `${batch.id}  ${batch.state}  ${bar(batch)}`);
    });
  },
});

function bar({ total, pending, failed, cancelled }: BatchInfo): string {
  const done = total - pending;
  const filled = total === 0 ? WIDTH : Math.round((WIDTH * done) / total);
  const bad = [failed > 0 && `${failed} failed`, cancelled > 0 && `${cancelled} cancelled`].filter(Boolean);
  const words = bad.length > 0 ? ` (${bad.join(", ")})` : "";
  return `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${done}/${total}${words}`;
}
