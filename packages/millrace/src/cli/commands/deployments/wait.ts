import { setTimeout as delay } from "node:timers/promises";
import type { Client, Deployment } from "../../../client/index.ts";
import { defineCommand, UsageError } from "../../arguments/command.ts";
import { EXIT } from "../../arguments/exit.ts";
import { duration, REMOTE } from "../../arguments/flags.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

const DEFAULT_MS = 10 * 60_000;
const LOOK_MS = 1_000;

export const command = defineCommand({
  args: ["<label>"],
  flags: {
    drained: { type: "boolean", doc: "wait until it runs no job and no job needs it (default)" },
    timeout: { type: "string", value: "<span>", doc: "stop waiting after this time (default 10m)" },
    ...REMOTE,
  },
  about: "For deployment scripts. Exit code 0: drained. 3: not drained in time. 2: unknown label.",
  examples: ["deployments wait 2026-11-16.3 --drained --timeout 10m"],
  async run({ args: [label = ""], flags }) {
    const timeoutMs = flags.timeout === undefined ? DEFAULT_MS : duration("timeout", flags.timeout);
    return withClient(flags, async (client) => {
      const found = await untilDrained(client, label, timeoutMs);
      const { pending, running } = found.jobs;
      tell(flags, found, found.removable ? `${label}  drained` : `${label}  ${running} running, ${pending} pending`);
      return found.removable ? EXIT.ok : EXIT.timedOut;
    });
  },
});

async function untilDrained(client: Client, label: string, timeoutMs: number): Promise<Deployment> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const found = (await client.deployments()).find((each) => each.label === label);
    if (!found) throw new UsageError(`No deployment has the label "${label}". millrace deployments lists them.`);
    if (found.removable || Date.now() >= until) return found;
    await delay(Math.min(LOOK_MS, Math.max(0, until - Date.now())));
  }
}
