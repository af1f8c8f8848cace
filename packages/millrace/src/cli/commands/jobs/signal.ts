import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { jsonArgument } from "../../arguments/json-argument.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<id>", "<name>", "[value]"],
  flags: {
    key: { type: "string", value: "<key>", doc: "idempotency key: a repeated signal with it changes nothing" },
    ...REMOTE,
  },
  examples: [`jobs signal job_4fQ81xZa paid '{"amount": 10}'`, "jobs signal job_4fQ81xZa cancel-order"],
  async run({ args: [id = "", name = "", given], flags }) {
    const value = given === undefined ? null : jsonArgument("The value", given);
    return withClient(flags, async (client) => {
      const receipt = await client.signal(id, name, value, { idempotencyKey: flags.key });
      return tell(
        flags,
        receipt,
        receipt.repeated ? `${receipt.jobId} has this signal already` : `${receipt.jobId} has the signal`,
      );
    });
  },
});
