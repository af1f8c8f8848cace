import { defineCommand } from "../../arguments/command.ts";
import { REMOTE } from "../../arguments/flags.ts";
import { jsonArgument } from "../../arguments/json-argument.ts";
import { withClient } from "../../connect.ts";
import { tell } from "../../output/show.ts";

export const command = defineCommand({
  args: ["<topic>", "[fields]"],
  flags: {
    key: { type: "string", value: "<key>", doc: "idempotency key: a repeated event with it changes nothing" },
    keep: { type: "string", value: "<ms>", doc: "how long later waits can still receive it (default 1 hour)" },
    ...REMOTE,
  },
  examples: [`events publish order.paid '{"orderId": 7}'`],
  async run({ args: [topic = "", given], flags }) {
    const fields = given === undefined ? {} : (jsonArgument("The fields", given) as Record<string, unknown>);
    const keepMs = flags.keep === undefined ? undefined : Number(flags.keep);
    return withClient(flags, async (client) => {
      const options = { idempotencyKey: flags.key, ...(keepMs !== undefined && { keepMs }) };
      const receipt = await client.publish(topic, fields, options);
      const jobs = receipt.woken === 1 ? "1 job" : `${receipt.woken} jobs`;
      return tell(flags, receipt, receipt.repeated ? "The event was published before" : `Woke ${jobs}`);
    });
  },
});
